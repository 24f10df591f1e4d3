import type { Channel } from "../../../data/channels.ts";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";

type State = NonNullable<Channel["last_delivery"]>["status"] | "inactive" | "unused";

const looks: Record<State, { word: string; tone: Tone }> = {
  inactive: { word: "Off", tone: "idle" },
  unused: { word: "Nothing sent yet", tone: "idle" },
  delivered: { word: "Delivered", tone: "ok" },
  queued: { word: "Retrying", tone: "warn" },
  failed: { word: "Failing", tone: "bad" },
};

export const stateOf = ({ is_active, last_delivery }: Pick<Channel, "is_active" | "last_delivery">): State =>
  is_active ? (last_delivery?.status ?? "unused") : "inactive";

/** Whether a channel is on, and how its newest delivery went. */
export function ChannelState({ channel }: { channel: Pick<Channel, "is_active" | "last_delivery"> }) {
  const state = stateOf(channel);
  return <StateIcon {...looks[state]} state={state} />;
}
