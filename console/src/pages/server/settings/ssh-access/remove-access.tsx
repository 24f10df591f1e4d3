import { Trash2 } from "lucide-react";
import type { SshAccess } from "../../../../data/ssh-keys.ts";
import { useWrite } from "../../../../data/write.ts";
import { Asked } from "../../../../parts/asked.tsx";
import { IconButton } from "../../../../ui/icon-button.tsx";
import { showToast } from "../../../../ui/toast.tsx";

export function RemoveAccess({ access: { id, name }, serverId }: { access: SshAccess; serverId: number }) {
  const remove = useWrite("DELETE /api/v1/servers/{id}/ssh-access/{access}", {
    touches: ["ssh_access"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  return (
    <Asked
      trigger={(ask) => <IconButton compact label={`Remove SSH key ${name}`} icon={Trash2} onPress={ask} />}
      title={`Remove ${name} from the server`}
      verb="Remove SSH key"
      danger
      write={remove}
      onConfirm={() => remove.mutate({ params: { id: serverId, access: id } })}
    >
      <p>The key no longer opens the server. Sessions that are open last until they are closed.</p>
    </Asked>
  );
}
