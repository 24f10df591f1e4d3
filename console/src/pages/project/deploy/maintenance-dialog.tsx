import type { ProjectReply } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

interface Props {
  project: ProjectReply;
  isOpen: boolean;
  onClose: () => void;
}

export function MaintenanceDialog({ project, isOpen, onClose }: Props) {
  const isOn = project.maintenance_mode;
  const set = useWrite("PUT /api/v1/projects/{id}/maintenance", { touches: ["project", "projects"], onDone: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        set.reset();
        onClose();
      }}
      title={`${isOn ? "End" : "Begin"} maintenance of ${project.name}`}
      verb={isOn ? "End maintenance" : "Begin maintenance"}
      onConfirm={() => set.mutate({ params: { id: project.id }, body: { enabled: !isOn } })}
      isPending={set.isPending}
      refusal={sentenceOf(set.error)}
    >
      <p>
        {isOn
          ? `Visitors of ${project.primary_domain} see the site again.`
          : `Visitors of ${project.primary_domain} see a maintenance page with status 503 until it ends.`}
      </p>
    </ConfirmDialog>
  );
}
