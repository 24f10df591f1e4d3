import type { RunningDeployment } from "../../data/overview.ts";
import { formatCount } from "../../ui/format.ts";

/** Where a deployment stands, in words. The name of a server out of reach is null. */
export function queueText({ waits_for }: Pick<RunningDeployment, "waits_for">, server: string | null): string {
  const on = server === null ? "" : ` on ${server}`;
  if (waits_for === null) return on.trim();
  if (waits_for === 0) return `Next${on}`;
  return `After ${formatCount(waits_for, "other")}${on}`;
}
