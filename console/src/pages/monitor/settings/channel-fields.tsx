import { Plus, Trash2 } from "lucide-react";
import { useMay, useWhyNoMail } from "../../../data/me.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { Channel } from "./values.ts";

interface Props {
  channels: readonly Channel[];
  onChange: (channels: readonly Channel[]) => void;
}

const kinds: Record<Channel["type"], { label: string; target: string }> = {
  email: { label: "Email", target: "Addresses, with commas between them" },
  slack: { label: "Slack", target: "Address of the incoming webhook" },
  discord: { label: "Discord", target: "Address of the webhook" },
  telegram: { label: "Telegram", target: "Id of the chat" },
  webhook: { label: "Webhook", target: "Address" },
};

const changes = [
  { id: "down,up", label: "Down and up again" },
  { id: "down", label: "Down" },
  { id: "up", label: "Up again" },
];

/** Where this monitor sends notifications besides the channels of the organization. */
export function ChannelFields({ channels, onChange }: Props) {
  const mayManage = useMay("monitor:manage");
  const replace = (index: number, ...by: Channel[]) => onChange(channels.toSpliced(index, 1, ...by));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium">Notifications</legend>
      <p className="text-meta text-text-2">
        {channels.length === 0
          ? "They go to the organization's channels, and to those that you add here."
          : "They go to the organization's channels, and to these."}
      </p>
      {channels.map((channel, index) => (
        <ChannelRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a channel is its place until it is saved.
          key={index}
          channel={channel}
          name={`notification_channels.${index}`}
          onChange={(next) => replace(index, next)}
          onRemove={() => replace(index)}
        />
      ))}
      {mayManage && channels.length < 10 && (
        <Button
          icon={Plus}
          className="self-start"
          onPress={() => onChange([...channels, { type: "email", target: "", on: ["down", "up"] }])}
        >
          Add notification
        </Button>
      )}
    </fieldset>
  );
}

interface RowProps {
  channel: Channel;
  /** Of its fields, in the API's words. */
  name: string;
  onChange: (channel: Channel) => void;
  onRemove: () => void;
}

function ChannelRow({ channel, name, onChange, onRemove }: RowProps) {
  const { type, target, on, bot_token: token } = channel;
  const { label, target: description } = kinds[type];
  const whyNoMail = useWhyNoMail();
  return (
    <div className="flex items-start gap-2 border-line border-t pt-3">
      <div className="grid min-w-0 grow gap-3 sm:grid-cols-2">
        <Select
          label="Sent to"
          name={`${name}.type`}
          options={Object.entries(kinds).map(([id, kind]) => ({ id, label: kind.label }))}
          value={type}
          onChange={(id) => onChange({ type: id as Channel["type"], target: "", on })}
        />
        <Select
          label="When it is"
          name={`${name}.on`}
          options={changes}
          value={on.length === 2 ? "down,up" : String(on)}
          onChange={(id) => onChange({ ...channel, on: String(id).split(",") as ("down" | "up")[] })}
        />
        <TextField
          label="Target"
          name={`${name}.target`}
          description={description}
          value={target}
          onChange={(next) => onChange({ ...channel, target: next })}
          isRequired
          autoComplete="off"
          className="sm:col-span-2"
        />
        {type === "email" && whyNoMail && (
          <Notice tone="warn" className="sm:col-span-2">
            {whyNoMail}
          </Notice>
        )}
        {type === "telegram" && (
          <PasswordField
            label="Token of the bot"
            name={`${name}.bot_token`}
            description="Of a stored chat it is kept when this is empty."
            value={token ?? ""}
            onChange={(next) => onChange(next === "" ? { type, target, on } : { ...channel, bot_token: next })}
            isRequired={false}
          />
        )}
      </div>
      <IconButton label={`Remove ${label} notification`} icon={Trash2} compact onPress={onRemove} />
    </div>
  );
}
