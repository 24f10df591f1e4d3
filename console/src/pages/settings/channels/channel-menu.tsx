import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import { messageOf } from "../../../api/errors.ts";
import type { Channel } from "../../../data/channels.ts";
import { useWrite } from "../../../data/write.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { DeleteDialog, EditDialog, RenewDialog } from "./channel-dialogs.tsx";

/** What is done to a channel, except the test of it. */
export function ChannelMenu({ channel }: { channel: Channel }) {
  const { id, name, type, is_active } = channel;
  const [opened, setOpened] = useState<"edit" | "renew" | "delete">();
  const close = () => setOpened(undefined);
  const update = useWrite("PUT /api/v1/notification-channels/{id}", { touches: ["channels", "channel"] });
  const toggle = () =>
    update.mutate(
      { params: { id }, body: { is_active: !is_active } },
      { onError: (error) => showToast({ text: messageOf(error), tone: "bad" }) },
    );
  const renew = { id: "renew", label: "Replace secret", icon: KeyRound, onAction: () => setOpened("renew") };
  const items: MenuItem[] = [
    { id: "edit", label: "Edit channel", icon: Pencil, onAction: () => setOpened("edit") },
    ...(type === "webhook" ? [renew] : []),
    { id: "power", label: is_active ? "Switch off" : "Switch on", icon: Power, onAction: toggle },
  ];
  const remove: MenuItem = {
    ...{ id: "delete", label: "Delete channel", icon: Trash2, danger: true },
    onAction: () => setOpened("delete"),
  };
  return (
    <>
      <Menu
        label={`Actions of ${name}`}
        trigger={<IconButton label={`Actions of ${name}`} icon={Ellipsis} compact />}
        sections={[{ items }, { items: [remove] }]}
      />
      {opened === "edit" && <EditDialog channel={channel} onClose={close} />}
      {opened === "renew" && <RenewDialog channel={channel} onClose={close} />}
      {opened === "delete" && <DeleteDialog channel={channel} onClose={close} />}
    </>
  );
}
