import { Ban, Box, Ellipsis, RotateCw } from "lucide-react";
import type { Deployment } from "../../../../contract/types.ts";
import { refusalOf } from "../../api/actions.ts";
import { messageOf } from "../../api/errors.ts";
import { hasEnded } from "../../data/deployments.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";

/** What can be done with a deployment of the list. */
export function DeploymentMenu({ deployment }: { deployment: Deployment }) {
  const o = useOrganization();
  const mayDeploy = useMay("deployment:create");
  const { cancel, rerun } = useVerbs(deployment);
  const verb: MenuItem = hasEnded(deployment)
    ? {
        id: "rerun",
        label: "Run again",
        icon: RotateCw,
        disabledReason: refusalOf("deployment", "rerun", deployment),
        onAction: rerun,
      }
    : {
        id: "cancel",
        label: "Cancel deployment",
        icon: Ban,
        disabledReason: refusalOf("deployment", "cancel", deployment),
        onAction: cancel,
      };
  const project: MenuItem = {
    id: "project",
    label: "Open project",
    icon: Box,
    href: paths.project(o, deployment.project.id),
  };
  const label = `Actions of deployment ${deployment.id}`;
  return (
    <Menu
      label={label}
      trigger={<IconButton label={label} icon={Ellipsis} compact excludeFromTabOrder />}
      sections={[{ items: mayDeploy ? [verb, project] : [project] }]}
    />
  );
}

function useVerbs({ id }: Deployment) {
  const o = useOrganization();
  const touches = ["deployment", "deployments"];
  const cancel = useWrite("POST /api/v1/deployments/{id}/cancel", { touches });
  const rerun = useWrite("POST /api/v1/deployments/{id}/rerun", {
    touches,
    onDone: ({ message, deployment_id: queued }) =>
      showToast({ text: message, link: { href: paths.deployment(o, queued), label: "Deployment" } }),
  });
  const onError = (error: Error) => showToast({ text: messageOf(error), tone: "bad" });
  return {
    cancel: () => cancel.mutate({ params: { id } }, { onError }),
    rerun: () => rerun.mutate({ params: { id } }, { onError }),
  };
}
