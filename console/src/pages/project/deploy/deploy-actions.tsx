import { ChevronDown, GitCommitHorizontal, History, RotateCw, Wrench } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useMay } from "../../../data/me.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { usePageKeys } from "../../../ui/page-keys.ts";
import { useProjectRefusals } from "../use-project.ts";
import type { Asking } from "./deploy-dialogs.tsx";
import { useDeploy } from "./use-deploy.ts";

/** Loaded as soon as the page is there, and not before. */
const DeployDialogs = lazy(async () => ({ default: (await import("./deploy-dialogs.tsx")).DeployDialogs }));

/** What can be done with the releases of a project: the head of its branch with one press, the rest in a menu. */
export function DeployActions({ project }: { project: ProjectReply }) {
  const [asking, setAsking] = useState<Asking>();
  const deploy = useDeploy();
  const refusal = useProjectRefusals(project);
  const sections = useSections(project, setAsking);
  const mayDeploy = useMay("deployment:create") && project.source_type === "git";
  const close = () => setAsking(undefined);
  const canChoose = mayDeploy && project.source_type === "git" && refusal("deploy") === undefined;
  usePageKeys(({ key }) => {
    if (key !== "d" || !canChoose) return false;
    setAsking("chosen");
    return true;
  });
  if (sections.length === 0) return null;
  return (
    <>
      {deploy.error && (
        <p role="alert" className="text-bad">
          {sentenceOf(deploy.error)}
        </p>
      )}
      {mayDeploy && (
        <Button
          kind="primary"
          isPending={deploy.isPending}
          disabledReason={refusal("deploy")}
          onPress={() => deploy.mutate({ body: { project_ids: [project.id] } })}
        >
          Deploy
        </Button>
      )}
      <Menu label="More actions" trigger={<IconButton label="More actions" icon={ChevronDown} />} sections={sections} />
      <Suspense fallback={null}>
        <DeployDialogs project={project} asking={asking} onClose={close} />
      </Suspense>
    </>
  );
}

function useSections(project: ProjectReply, ask: (what: Asking) => void): { items: MenuItem[] }[] {
  const refusal = useProjectRefusals(project);
  const item = (id: Asking, label: string, icon: MenuItem["icon"], disabledReason?: string): MenuItem => ({
    id,
    label,
    ...(icon && { icon }),
    disabledReason,
    onAction: () => ask(id),
  });
  const isDeployed = project.source_type === "git";
  const deploying = [
    ...(isDeployed
      ? [
          item("chosen", "Deploy a branch or commit", GitCommitHorizontal, refusal("deploy")),
          item("roll_back", "Roll back", History),
        ]
      : []),
    item("restart", "Restart", RotateCw, refusal("recycle")),
  ];
  const label = project.maintenance_mode ? "End maintenance" : "Begin maintenance";
  const serving = [item("maintenance", label, Wrench, refusal("set_maintenance"))];
  const mayDeploy = useMay("deployment:create");
  const mayUpdate = useMay("project:update");
  return [...(mayDeploy ? [{ items: deploying }] : []), ...(mayUpdate ? [{ items: serving }] : [])];
}
