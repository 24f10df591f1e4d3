import { sentenceOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { requestOf } from "./values.ts";
import type { MaintenanceWindow } from "./window.ts";
import { WindowForm } from "./window-form.tsx";

/** What one does with windows in a dialog. The record is the one that was on screen. */
export type Opened = { kind: "plan" } | { kind: "edit" | "delete"; window: MaintenanceWindow };

interface Props {
  opened: Opened | undefined;
  onClose: () => void;
}

export function WindowDialogs({ opened, onClose }: Props) {
  if (!opened) return null;
  if (opened.kind === "plan") return <PlanDialog onClose={onClose} />;
  if (opened.kind === "edit") return <EditDialog window={opened.window} onClose={onClose} />;
  return <DeleteDialog window={opened.window} onClose={onClose} />;
}

const touches = ["maintenance_windows"];

function PlanDialog({ onClose }: { onClose: () => void }) {
  const create = useWrite("POST /api/v1/maintenance-windows", { touches, onDone: onClose });
  return (
    <Dialog isOpen onClose={onClose} title="Plan maintenance">
      <WindowForm
        verb="Plan maintenance"
        write={create}
        onSend={(values) => create.mutate({ body: requestOf(values) })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface WindowProps {
  window: MaintenanceWindow;
  onClose: () => void;
}

function EditDialog({ window, onClose }: WindowProps) {
  const { id, name, updated_at } = window;
  const update = useWrite("PUT /api/v1/maintenance-windows/{id}", { touches, onDone: onClose });
  return (
    <Dialog isOpen onClose={onClose} title={`Edit ${name}`}>
      <WindowForm
        window={window}
        verb="Save"
        write={update}
        onSend={(values) =>
          update.mutate({ params: { id }, body: { ...requestOf(values), expected_updated_at: updated_at } })
        }
        onClose={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ window: { id, name, is_active: isActive }, onClose }: WindowProps) {
  const remove = useWrite("DELETE /api/v1/maintenance-windows/{id}", { touches, onDone: onClose });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete window"
      danger
      onConfirm={() => remove.mutate({ params: { id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>
        {isActive
          ? "It is running: it ends now, and its monitors are observed again."
          : "Its monitors are observed at these times, too."}
      </p>
    </ConfirmDialog>
  );
}
