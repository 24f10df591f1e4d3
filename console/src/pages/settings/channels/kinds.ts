import { type ChannelType, kindNames } from "../../../data/channels.ts";

interface Kind {
  id: ChannelType;
  label: string;
  /** What the target is called, and what it has to be. */
  target: string;
  description: string;
  placeholder: string;
}

/** The kinds of channels, in the API's order. */
export const kinds: readonly Kind[] = [
  {
    id: "email",
    label: kindNames.email,
    target: "Addresses",
    description: "Up to 20, separated by commas. One email goes to all of them.",
    placeholder: "ops@example.com, on-call@example.com",
  },
  {
    id: "slack",
    label: kindNames.slack,
    target: "Webhook address",
    description: "Of an incoming webhook. Mattermost and others that speak Slack's language work as well.",
    placeholder: "https://hooks.slack.com/services/…",
  },
  {
    id: "discord",
    label: kindNames.discord,
    target: "Webhook address",
    description: "Of a channel's webhook.",
    placeholder: "https://discord.com/api/webhooks/…",
  },
  {
    id: "telegram",
    label: kindNames.telegram,
    target: "Chat",
    description: "A chat's number, or its name with @. A topic of it stands behind a slash: -1001234567890/7.",
    placeholder: "-1001234567890",
  },
  {
    id: "webhook",
    label: kindNames.webhook,
    target: "Address",
    description: "Your own. Deliveries are signed with a secret, which is shown once.",
    placeholder: "https://example.com/hooks/longshore",
  },
];

export const kindOf = (type: ChannelType): Kind => kinds.find(({ id }) => id === type) as Kind;
