import { Trash2 } from "lucide-react";
import type { SourceProvider } from "../../../../../contract/types.ts";
import { useWrite } from "../../../data/write.ts";
import { Asked } from "../../../parts/asked.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { showToast } from "../../../ui/toast.tsx";

export function DisconnectGitHost({ account: { id, name, label } }: { account: SourceProvider }) {
  const disconnect = useWrite("DELETE /api/v1/source-providers/{id}", {
    touches: ["git_hosts"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  return (
    <Asked
      trigger={(ask) => <IconButton compact label={`Disconnect ${name}`} icon={Trash2} onPress={ask} />}
      title={`Disconnect ${name}`}
      verb="Disconnect git host"
      danger
      write={disconnect}
      onConfirm={() => disconnect.mutate({ params: { id } })}
    >
      <p>
        The webhooks and deploy keys that were registered with it are removed at {label}. Pushes to its repositories
        deploy nothing until they are registered again.
      </p>
    </Asked>
  );
}
