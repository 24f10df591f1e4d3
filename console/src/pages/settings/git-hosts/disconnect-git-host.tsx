import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { SourceProvider } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { showToast } from "../../../ui/toast.tsx";

export function DisconnectGitHost({ account: { id, name, label } }: { account: SourceProvider }) {
  const [isAsking, setAsking] = useState(false);
  const disconnect = useWrite("DELETE /api/v1/source-providers/{id}", {
    touches: ["git_hosts"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  return (
    <>
      <IconButton compact label={`Disconnect ${name}`} icon={Trash2} onPress={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          disconnect.reset();
          setAsking(false);
        }}
        title={`Disconnect ${name}`}
        verb="Disconnect git host"
        danger
        onConfirm={() => disconnect.mutate({ params: { id } })}
        isPending={disconnect.isPending}
        refusal={sentenceOf(disconnect.error)}
      >
        <p>
          The webhooks and deploy keys that were registered with it are removed at {label}. Pushes to its repositories
          deploy nothing until they are registered again.
        </p>
      </ConfirmDialog>
    </>
  );
}
