import { request } from "../../../api/client.ts";
import { useOrganization } from "../../../data/organization.ts";
import { paths } from "../../../paths.ts";
import { formatCount } from "../../../ui/format.ts";
import { showToast } from "../../../ui/toast.tsx";
import { BulkDialog, projectsText } from "./bulk-dialog.tsx";

export interface ChangeProps {
  ids: readonly number[];
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

export function DeployDialog({ onDone, ...props }: ChangeProps) {
  const organization = useOrganization();
  return (
    <BulkDialog
      {...props}
      verb="Deploy"
      leavesOutApps
      consequence={(count) =>
        `${projectsText(count)} will be deployed from the newest commit of their branches. Each server works through its queue.`
      }
      change={(project_ids) => request("POST /api/v1/deployments", { organization, body: { project_ids } })}
      onDone={(count) => {
        const link = { href: paths.deployments(organization), label: "Deployments" };
        showToast({ text: `Requested ${formatCount(count, "deployment")}`, link });
        onDone();
      }}
    />
  );
}

export function AutoDeployDialog({ isActive, onDone, ...props }: ChangeProps & { isActive: boolean }) {
  const organization = useOrganization();
  const word = isActive ? "on" : "off";
  return (
    <BulkDialog
      {...props}
      verb={`Turn auto-deploy ${word}`}
      leavesOutApps={isActive}
      consequence={(count) =>
        isActive
          ? `Each push to the branches of ${projectsText(count)} will be deployed.`
          : `Pushes to the branches of ${projectsText(count)} will no longer be deployed.`
      }
      change={(project_ids) =>
        request("PUT /api/v1/projects/bulk/auto-deploy", {
          organization,
          body: { project_ids, auto_deploy_is_active: isActive },
        })
      }
      onDone={(count) => {
        showToast({ text: `Turned auto-deploy ${word} for ${projectsText(count)}`, tone: "ok" });
        onDone();
      }}
    />
  );
}
