import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { AppInstallStep, ProjectReply } from "../../../../../contract/types.ts";
import { messageOf } from "../../../api/errors.ts";
import { installSteps } from "../../../data/apps.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useProjectRefusals } from "../use-project.ts";
import { InstallSteps } from "./install-steps.tsx";

/** The installation of an application while it runs, and after it failed. */
export function InstallProgress({ project }: { project: ProjectReply }) {
  const progress = useQuery(installSteps(useOrganization(), project.id));
  const hasFailed = project.installation_status === 2;
  return (
    <Section
      title="Installation"
      description={progress.data && stepsText(progress.data.data.steps)}
      actions={hasFailed && <Retry project={project} />}
    >
      <Loaded query={progress} what="The steps of the installation could not be read." rows={8}>
        {({ data }) => <InstallSteps steps={data.steps} readAt={progress.dataUpdatedAt} />}
      </Loaded>
    </Section>
  );
}

const ended: readonly AppInstallStep["status"][] = ["completed", "skipped"];

/** How far it is, in words. */
function stepsText(steps: readonly AppInstallStep[]): string {
  const done = steps.filter(({ status }) => ended.includes(status)).length;
  const failed = steps.find(({ status }) => status === "failed");
  return failed
    ? `It stopped at “${failed.label}”. A retry starts from the top.`
    : `${done} of ${steps.length} steps are done.`;
}

function Retry({ project }: { project: ProjectReply }) {
  const refusal = useProjectRefusals(project);
  const retry = useWrite("POST /api/v1/projects/{id}/install/retry", { touches: ["project", "projects", "attention"] });
  if (!useMay("project:create")) return null;
  return (
    <>
      {retry.error && (
        <p role="alert" className="max-w-96 text-bad">
          {messageOf(retry.error)}
        </p>
      )}
      <Button
        icon={RotateCw}
        onPress={() => retry.mutate({ params: { id: project.id } })}
        isPending={retry.isPending}
        disabledReason={refusal("retry_installation")}
      >
        Retry
      </Button>
    </>
  );
}
