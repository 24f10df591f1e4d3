import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AppActions, ProjectReply } from "../../../../../contract/types.ts";
import { refusalOf } from "../../../api/actions.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { type AppFacts, appActions } from "../../../data/apps.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

interface Props {
  project: ProjectReply;
  facts: AppFacts;
}

/** Updates the application, or installs its version again where there is no newer one. */
export function UpdateAction({ project, facts }: Props) {
  const [isAsking, setAsking] = useState(false);
  const reason = useAppRefusal(project.id, facts)("update");
  const newest = facts.update_available;
  return (
    <>
      <Button
        {...(newest !== null && { kind: "primary" as const })}
        onPress={() => setAsking(true)}
        disabledReason={reason}
      >
        {newest === null ? "Update" : `Update to ${newest}`}
      </Button>
      <UpdateDialog project={project} facts={facts} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

/** Why a verb of the application is refused now, in the API's sentence; undefined: it is not. */
function useAppRefusal(id: number, facts: AppFacts): (verb: keyof AppActions) => string | undefined {
  const actions = useQuery(appActions(useOrganization(), id)).data?.data;
  return (verb) => {
    const action = actions?.[verb];
    if (!action) return refusalOf("app", verb, facts);
    return action.is_allowed ? undefined : (action.message ?? undefined);
  };
}

function UpdateDialog({ project, facts, isOpen, onClose }: Props & { isOpen: boolean; onClose: () => void }) {
  const update = useWrite("POST /api/v1/projects/{id}/app/update", { touches: ["project"], onDone: onClose });
  const { app_name: name, app_version: version, update_available: newest } = facts;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        update.reset();
        onClose();
      }}
      title={`Update ${project.name}`}
      verb="Update"
      onConfirm={() => update.mutate({ params: { id: project.id } })}
      isPending={update.isPending}
      refusal={sentenceOf(update.error)}
    >
      <p>
        {newest === null
          ? `The newest version of ${name} that the server runs is installed. If there is none newer than ${version}, that one is installed again, which repairs changed files.`
          : `${name} ${version} becomes ${newest}, or the newest version that was published since.`}
      </p>
      <p>Its database is copied first. If a step fails, the version before serves again as it was.</p>
    </ConfirmDialog>
  );
}
