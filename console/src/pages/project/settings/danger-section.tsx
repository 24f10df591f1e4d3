import { useState } from "react";
import { useNavigate } from "react-router";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Losses } from "../../../parts/losses.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Section } from "../../../ui/section.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useProjectRefusals } from "../use-project.ts";

/** Apart from everything else: what cannot be taken back. */
export function DangerSection({ project }: { project: ProjectReply }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useProjectRefusals(project);
  return (
    <Section
      title="Delete"
      description="Removes the project from its server and deletes its deployments. This cannot be taken back."
    >
      <Button kind="danger" className="self-start" onPress={() => setAsking(true)} disabledReason={refusal("delete")}>
        Delete project
      </Button>
      <DeleteDialog project={project} isOpen={isAsking} onClose={() => setAsking(false)} />
    </Section>
  );
}

const deletion = "DELETE /api/v1/project/{id}";

interface DialogProps {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ project, isOpen, onClose }: DialogProps) {
  const o = useOrganization();
  const navigate = useNavigate();
  const params = { id: project.id };
  const remove = useWrite(deletion, {
    touches: ["projects"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.projects(o));
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Delete ${project.name}`}
      verb="Delete project"
      danger
      typedName={project.name}
      onConfirm={() => remove.mutate({ params })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <Losses
        queryKey={[o, "project", project.id, "losses"]}
        ask={(signal) => request(deletion, { organization: o, params, query: { dry_run: true }, signal })}
      />
    </ConfirmDialog>
  );
}
