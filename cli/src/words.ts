import type { Style } from "./output/terminal.ts";

/** The states of deployments, by their numbers in the API. */
export const deploymentStates: Record<number, string> = {
  0: "queued",
  1: "success",
  2: "failed",
  3: "running",
  4: "cancelling",
  5: "cancelled",
};

/** The colour of a state of any record. */
export function styleOf(state: string): Style | undefined {
  if (["failed", "down", "crashing", "unreachable"].includes(state)) return "red";
  if (["success", "live", "up", "ready", "active", "applied"].includes(state)) return "green";
  if (["running", "deploying", "queued", "waiting", "pending", "provisioning", "cancelling"].includes(state))
    return "yellow";
  return undefined;
}

/** What a server is for, by its number in the API. */
export const serverTypes = ["app", "database", "cache", "search", "load-balancer"] as const;

export const shortCommit = (commit: string | null): string => commit?.slice(0, 7) ?? "";
