import { Trash2 } from "lucide-react";
import { useState } from "react";
import { refusalOf } from "../../api/actions.ts";
import { sentenceOf } from "../../api/errors.ts";
import type { Snapshot } from "../../data/snapshots.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { showToast } from "../../ui/toast.tsx";

export function DeleteSnapshot({ snapshot }: { snapshot: Snapshot }) {
  const { id, name } = snapshot;
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite("DELETE /api/v1/server-snapshots/{id}", {
    touches: ["snapshots"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      setAsking(false);
    },
  });
  return (
    <>
      <Button
        compact
        kind="quiet"
        icon={Trash2}
        aria-label={`Delete snapshot ${name}`}
        onPress={() => setAsking(true)}
        disabledReason={refusalOf("snapshot", "delete", snapshot)}
      >
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          remove.reset();
          setAsking(false);
        }}
        title={`Delete ${name}`}
        verb="Delete snapshot"
        danger
        onConfirm={() => remove.mutate({ params: { id } })}
        isPending={remove.isPending}
        refusal={sentenceOf(remove.error)}
      >
        <p>The image is deleted at the provider. Servers that were ordered from it stay.</p>
      </ConfirmDialog>
    </>
  );
}
