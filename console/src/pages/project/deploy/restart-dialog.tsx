import type { ProjectReply } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useGoToDeployment } from "./use-deploy.ts";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function RestartDialog({ project, isOpen, onClose }: Props) {
  const go = useGoToDeployment();
  const restart = useWrite("POST /api/v1/projects/{id}/recycle", { onDone: (reply) => go(reply.deployment_id) });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        restart.reset();
        onClose();
      }}
      title={`Restart ${project.name}`}
      verb="Restart"
      onConfirm={() => restart.mutate({ params: { id: project.id } })}
      isPending={restart.isPending}
      refusal={sentenceOf(restart.error)}
    >
      <p>
        A new process of the live release is started, and takes over when it answers. Nothing is built, and the commit
        stays the same.
      </p>
    </ConfirmDialog>
  );
}
