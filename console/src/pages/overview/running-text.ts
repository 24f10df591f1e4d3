import type { RunningDeployment } from "../../data/overview.ts";
import type { Tone } from "../../ui/tones.ts";

/** How the statuses of deployments that have not ended look; `state` is the API's word. */
export const runningStates: Record<RunningDeployment["status"], { state: string; word: string; tone: Tone }> = {
  0: { state: "queued", word: "Waiting", tone: "idle" },
  3: { state: "running", word: "Deploying", tone: "run" },
  4: { state: "cancelling", word: "Cancelling", tone: "run" },
};

/** Where a deployment stands, in words. The name of a server out of reach is null. */
export function queueText({ waits_for }: Pick<RunningDeployment, "waits_for">, server: string | null): string {
  const on = server === null ? "" : ` on ${server}`;
  if (waits_for === null) return on.trim();
  if (waits_for === 0) return `Next${on}`;
  return waits_for === 1 ? `After 1 other${on}` : `After ${waits_for} others${on}`;
}
