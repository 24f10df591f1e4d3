import type { ProjectReply } from "../../../../../../contract/types.ts";
import { sentenceOf } from "../../../../api/errors.ts";
import { useWrite } from "../../../../data/write.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { showToast } from "../../../../ui/toast.tsx";

export function UnbalanceDialog({ project, onClose }: { project: ProjectReply; onClose: () => void }) {
  const remove = useWrite("DELETE /api/v1/projects/{id}/load-balancer", {
    touches: ["project", "projects"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Take ${project.name} out of its load balancer`}
      verb="Take out of load balancer"
      danger
      onConfirm={() => remove.mutate({ params: { id: project.id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>
        It is removed from all servers but <bdi>{project.server.name}</bdi>, which serves it by itself again. Point its
        domains there first.
      </p>
    </ConfirmDialog>
  );
}
