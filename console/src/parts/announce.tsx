import { useSyncExternalStore } from "react";

type Urgency = "polite" | "assertive";

let spoken: Record<Urgency, string> = { polite: "", assertive: "" };
const listeners = new Set<() => void>();

/** Has screen readers read a text: when they are idle (`polite`), or at once, for what failed that one began (`assertive`). */
export function announce(text: string, urgency: Urgency = "polite"): void {
  // The same text again is a change too.
  const repeated = spoken[urgency] === text ? `${text}\u00a0` : text;
  spoken = { ...spoken, [urgency]: repeated };
  for (const listener of listeners) listener();
}

/** The elements that are read; once, in the root route. */
export function LiveRegions() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => spoken);
  return (
    <div className="sr-only">
      <p aria-live="polite">{polite}</p>
      <p aria-live="assertive">{assertive}</p>
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
