import { useState } from "react";
import { useSettled } from "../use-settled.ts";

/** The text of a field that finds on the server. */
export interface Search {
  /** What stands in the field. */
  text: string;
  /** What to find, once one has stopped typing. Empty while the field shows what is chosen. */
  q: string;
  type: (text: string) => void;
  /** Shows what was chosen. An empty text for nothing. */
  choose: (label: string) => void;
  /** Shows again what was chosen before. */
  takeBack: () => void;
}

const typedAfterMs = 250;

/** `label` is that of what is chosen already. */
export function useSearch(label = ""): Search {
  const [{ text, chosen }, set] = useState({ text: label, chosen: label });
  const q = useSettled(text === chosen ? "" : text.trim(), typedAfterMs);
  return {
    text,
    q,
    type: (typed) => set((now) => ({ ...now, text: typed })),
    choose: (next) => set({ text: next, chosen: next }),
    takeBack: () => set((now) => ({ ...now, text: now.chosen })),
  };
}
