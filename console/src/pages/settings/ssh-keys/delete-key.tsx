import { Trash2 } from "lucide-react";
import type { SshKey } from "../../../data/ssh-keys.ts";
import { useWrite } from "../../../data/write.ts";
import { Asked } from "../../../parts/asked.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { showToast } from "../../../ui/toast.tsx";

export function DeleteKey({ sshKey: { id, name, owner } }: { sshKey: SshKey }) {
  const remove = useWrite("DELETE /api/v1/ssh-keys/{id}", {
    touches: ["ssh_keys", "ssh_access"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  return (
    <Asked
      trigger={(ask) => <IconButton compact label={`Delete SSH key ${name}`} icon={Trash2} onPress={ask} />}
      title={`Delete ${name}`}
      verb="Delete SSH key"
      danger
      write={remove}
      onConfirm={() => remove.mutate({ params: { id } })}
    >
      <p>
        It is removed from every server that has it{owner === "user" && ", in all of your organizations"}; from one that
        is unreachable when it is back. Sessions that are open last until they are closed.
      </p>
    </Asked>
  );
}
