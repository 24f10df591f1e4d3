import type { Order } from "../../../data/orders.ts";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";

interface Look {
  word: string;
  tone: Tone;
  /** What is true of it now, or what to do about it. */
  sentence?: string;
}

export const orderLooks: Record<Order["state"], Look> = {
  ordering: { word: "Being ordered", tone: "run" },
  refunding: {
    word: "Being undone",
    tone: "run",
    sentence: "What was ordered is being deleted at the provider.",
  },
  active: { word: "Active", tone: "ok" },
  removing: { word: "Being removed", tone: "run" },
  failed: { word: "Failed", tone: "bad", sentence: "Nothing of it is left at the provider." },
  cancelled: { word: "Cancelled", tone: "idle", sentence: "Nothing of it is left at the provider." },
  removed: { word: "Removed", tone: "idle" },
  left: {
    word: "Left at the provider",
    tone: "bad",
    sentence: "This could not be deleted and is billed: delete it at the provider.",
  },
  released: { word: "Released", tone: "idle", sentence: "The machine was kept as a custom server." },
};

export const OrderState = ({ order: { state } }: { order: Pick<Order, "state"> }) => (
  <StateIcon word={orderLooks[state].word} tone={orderLooks[state].tone} state={state} />
);
