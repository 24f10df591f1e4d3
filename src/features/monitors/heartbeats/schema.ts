// How a heartbeat works:
//
// The job's server sends reports to the monitor's `ping_url`: the start of a run, its end with the exit status, or a failure.
// pings.ts receives them and groups them into few statements (grouped-writes.ts, queries.ts: recordReports). A monitor is
// evaluated when it is due (evaluation.ts): when a report becomes late, or soon after a report that changes something. Only
// evaluations decide about its status.

/** What a report is about. */
export type PingKind = "success" | "start" | "fail";

/** A report as it was received. */
export interface Ping {
  /** SHA-256 of the token, in hex. */
  digest: string;
  kind: PingKind;
  exitStatus: number | null;
  durationMs: number | null;
  /** The run, as the sender names it; `""` if it names none. */
  run: string;
  /** The beginning of the body. */
  body: string | null;
}

/** The kept length of a body, in bytes when it is received and in characters when it is stored. */
export const keptBodyBytes = 10 * 1024;

/** How often a server reports the state of its background jobs. */
export const listenerIntervalSeconds = 60;

export const tokenLength = 40;

/** The address of a heartbeat. `installation` has no slash at its end. */
export const pingUrlOf = (installation: string, token: string): string =>
  `${installation.replace(/\/+$/, "")}/ping/${token}`;
