import type { ReactNode } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { ChosenDeployDialog } from "./chosen-deploy-dialog.tsx";
import { MaintenanceDialog } from "./maintenance-dialog.tsx";
import { RestartDialog } from "./restart-dialog.tsx";
import { RollBackDialog } from "./roll-back-dialog.tsx";

export type Asking = "chosen" | "roll_back" | "restart" | "maintenance";

interface Props {
  project: ProjectReply;
  asking: Asking | undefined;
  onClose: () => void;
}

export const DeployDialogs = ({ project, asking, onClose }: Props): ReactNode => (
  <>
    <ChosenDeployDialog project={project} isOpen={asking === "chosen"} onClose={onClose} />
    <RollBackDialog project={project} isOpen={asking === "roll_back"} onClose={onClose} />
    <RestartDialog project={project} isOpen={asking === "restart"} onClose={onClose} />
    <MaintenanceDialog project={project} isOpen={asking === "maintenance"} onClose={onClose} />
  </>
);
