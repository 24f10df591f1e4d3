import { Trash2 } from "lucide-react";
import { refusalOf } from "../../api/actions.ts";
import type { Snapshot } from "../../data/snapshots.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.tsx";
import { Asked } from "../asked.tsx";

export function DeleteSnapshot({ snapshot }: { snapshot: Snapshot }) {
  const { id, name } = snapshot;
  const remove = useWrite("DELETE /api/v1/server-snapshots/{id}", {
    touches: ["snapshots"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  const trigger = (ask: () => void) => (
    <Button
      compact
      kind="quiet"
      icon={Trash2}
      aria-label={`Delete snapshot ${name}`}
      onPress={ask}
      disabledReason={refusalOf("snapshot", "delete", snapshot)}
    >
      Delete
    </Button>
  );
  return (
    <Asked
      trigger={trigger}
      title={`Delete ${name}`}
      verb="Delete snapshot"
      danger
      write={remove}
      onConfirm={() => remove.mutate({ params: { id } })}
    >
      <p>The image is deleted at the provider. Servers that were ordered from it stay.</p>
    </Asked>
  );
}
