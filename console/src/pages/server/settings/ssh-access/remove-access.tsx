import { Trash2 } from "lucide-react";
import { useState } from "react";
import { sentenceOf } from "../../../../api/errors.ts";
import type { SshAccess } from "../../../../data/ssh-keys.ts";
import { useWrite } from "../../../../data/write.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { IconButton } from "../../../../ui/icon-button.tsx";
import { showToast } from "../../../../ui/toast.tsx";

export function RemoveAccess({ access, serverId }: { access: SshAccess; serverId: number }) {
  const { id, name } = access;
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite("DELETE /api/v1/servers/{id}/ssh-access/{access}", {
    touches: ["ssh_access"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      setAsking(false);
    },
  });
  return (
    <>
      <IconButton compact label={`Remove SSH key ${name}`} icon={Trash2} onPress={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          remove.reset();
          setAsking(false);
        }}
        title={`Remove ${name} from the server`}
        verb="Remove SSH key"
        danger
        onConfirm={() => remove.mutate({ params: { id: serverId, access: id } })}
        isPending={remove.isPending}
        refusal={sentenceOf(remove.error)}
      >
        <p>The key no longer opens the server. Sessions that are open last until they are closed.</p>
      </ConfirmDialog>
    </>
  );
}
