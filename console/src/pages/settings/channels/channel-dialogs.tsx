import { useState } from "react";
import type { NewNotificationChannel } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import type { Channel } from "../../../data/channels.ts";
import { useWrite } from "../../../data/write.ts";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { ChannelForm } from "./channel-form.tsx";
import type { ChannelValues } from "./values.ts";

const touches = ["channels", "channel"] as const;

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewNotificationChannel>();
  const create = useWrite("POST /api/v1/notification-channels", {
    touches,
    onDone: ({ message, data }) => {
      if (data.secret !== undefined) return setCreated(data);
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = ({ bot_token, ...values }: ChannelValues) =>
    create.mutate({ body: { ...values, ...(values.type === "telegram" && { bot_token }) } });
  return (
    <Dialog isOpen onClose={onClose} title="Create channel">
      {created?.secret ? (
        <Secret name={created.name} value={created.secret} onClose={onClose} />
      ) : (
        <ChannelForm verb="Create channel" write={create} onSend={send} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChannelProps {
  channel: Channel;
  onClose: () => void;
}

export function EditDialog({ channel, onClose }: ChannelProps) {
  const update = useWrite("PUT /api/v1/notification-channels/{id}", { touches, onDone: onClose });
  const send = ({ type: _fixed, bot_token, ...values }: ChannelValues) => {
    const body = { ...values, ...(bot_token && { bot_token }), expected_updated_at: channel.updated_at };
    update.mutate({ params: { id: channel.id }, body });
  };
  return (
    <Dialog isOpen onClose={onClose} title={`Edit ${channel.name}`}>
      <ChannelForm channel={channel} verb="Save" write={update} onSend={send} onClose={onClose} />
    </Dialog>
  );
}

export function DeleteDialog({ channel: { id, name }, onClose }: ChannelProps) {
  const remove = useWrite("DELETE /api/v1/notification-channels/{id}", {
    touches,
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete channel"
      danger
      onConfirm={() => remove.mutate({ params: { id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>Nothing more is sent to it, also not what waits to be retried. Its deliveries are lost.</p>
    </ConfirmDialog>
  );
}

export function RenewDialog({ channel: { id, name }, onClose }: ChannelProps) {
  const renew = useWrite("POST /api/v1/notification-channels/{id}/secret", { touches });
  const secret = renew.data?.data.secret;
  if (secret !== undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={`Secret of ${name}`}>
        <Secret name={name} value={secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Replace the secret of ${name}`}
      verb="Replace secret"
      onConfirm={() => renew.mutate({ params: { id } })}
      isPending={renew.isPending}
      refusal={sentenceOf(renew.error)}
    >
      <p>
        From the next delivery on, only the new secret verifies the signature. Deliveries that wait are signed with it.
      </p>
    </ConfirmDialog>
  );
}

interface SecretProps {
  name: string;
  value: string;
  onClose: () => void;
}

const Secret = ({ name, value, onClose }: SecretProps) => (
  <ShownOnce value={value} copyLabel="Copy secret" onClose={onClose}>
    Deliveries to <bdi className="font-medium">{name}</bdi> are signed with this secret. It is shown only now.
  </ShownOnce>
);
