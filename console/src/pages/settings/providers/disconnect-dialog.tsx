import { useState } from "react";
import { sentenceOf } from "../../../api/errors.ts";
import type { CloudProvider } from "../../../data/providers.ts";
import { useWrite } from "../../../data/write.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { showToast } from "../../../ui/toast.tsx";

interface Props {
  account: CloudProvider;
  /** What needs the account, in the API's sentence. */
  needed: string | undefined;
  onClose: () => void;
}

export function DisconnectDialog({ account: { id, name, label }, needed, onClose }: Props) {
  const [keepsServers, setKeepsServers] = useState(false);
  const disconnect = useWrite("DELETE /api/v1/server-providers/{id}", {
    touches: ["providers", "servers", "server", "orders", "snapshots"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const confirm = () => disconnect.mutate({ params: { id }, ...(keepsServers && { query: { keep_servers: true } }) });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Disconnect ${name}`}
      verb="Disconnect account"
      danger
      onConfirm={confirm}
      isPending={disconnect.isPending}
      refusal={sentenceOf(disconnect.error)}
      disabledReason={needed && !keepsServers ? needed : undefined}
    >
      <p>Its credentials are deleted here. Nothing is deleted at {label}, and no server can be ordered with it.</p>
      {needed && (
        <>
          <p>{needed}</p>
          <Checkbox
            isSelected={keepsServers}
            onChange={setKeepsServers}
            description="They keep running and are billed until you delete them at the provider. Records of snapshots are deleted here."
          >
            Keep its servers as custom servers
          </Checkbox>
        </>
      )}
    </ConfirmDialog>
  );
}
