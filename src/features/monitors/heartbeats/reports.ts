import type { Pool } from "pg";
import { type Report, recordReports } from "./queries.ts";
import type { Ping } from "./schema.ts";

/** Stores pings in one statement; returns for each whether its heartbeat exists. */
export async function writePings(pool: Pool, pings: readonly Ping[]): Promise<boolean[]> {
  const reports = new Map<string, Report>();
  for (const ping of pings) reports.set(ping.digest, merged(reports.get(ping.digest), ping));
  const known = await recordReports(pool, [...reports.values()]);
  return pings.map(({ digest }) => known.has(digest));
}

/** Merges a later ping into the earlier ones of the same heartbeat. */
function merged(before: Report | undefined, ping: Ping): Report {
  const { digest, kind, run } = ping;
  const isStart = kind === "start";
  const { exitStatus, durationMs, body } = isStart && before ? before : ping;
  return {
    digest,
    kind,
    exitStatus,
    durationMs,
    body: ping.body ?? body,
    startedRun:
      isStart && !(before?.endKind && run !== "" && run === before.endRun) ? run : (before?.startedRun ?? null),
    endKind: isStart ? (before?.endKind ?? null) : kind,
    endRun: isStart ? (before?.endRun ?? "") : run,
  };
}
