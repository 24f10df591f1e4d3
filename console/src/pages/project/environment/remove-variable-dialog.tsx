import type { EnvironmentVariable } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

interface Props {
  projectId: number;
  variable: EnvironmentVariable | undefined;
  onClose: () => void;
}

export function RemoveVariableDialog({ projectId, variable, onClose }: Props) {
  const remove = useWrite("DELETE /api/v1/projects/{id}/environment-variables/{name}", {
    touches: ["environment", "project", "projects"],
    onDone: onClose,
  });
  const name = variable?.name ?? "";
  return (
    <ConfirmDialog
      isOpen={variable !== undefined}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Remove ${name}`}
      verb="Remove variable"
      danger
      onConfirm={() => remove.mutate({ params: { id: projectId, name } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>Its value is lost. The live release keeps it until the next deployment or restart.</p>
    </ConfirmDialog>
  );
}
