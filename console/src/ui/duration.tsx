import { useClock } from "./clock.ts";
import { formatDuration } from "./format.ts";

/** How long something took (`ms`), or has taken `since` then. */
export function Duration(props: { ms: number } | { since: string | number }) {
  const since = "since" in props ? new Date(props.since).getTime() : undefined;
  const elapsed = useClock((now) => (since === undefined ? 0 : Math.floor((now - since) / 1_000)), since !== undefined);
  return (
    <span className="whitespace-nowrap tabular">{formatDuration("ms" in props ? props.ms : elapsed * 1_000)}</span>
  );
}
