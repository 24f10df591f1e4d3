import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import type { Listener } from "../listener.ts";
import { awaitChange, type Wait } from "../wait.ts";
import type { Outcome } from "./journal.ts";
import { listOutput } from "./output.ts";
import { findRun, isEnded, type Run, runsChannel } from "./queries.ts";

/** The result of a run, for the caller that waits for it. */
export interface RunReport {
  /** Undefined: it did not end in time, and continues. */
  outcome: Outcome | "stalled" | undefined;
  /** A sentence for the reader unless it succeeded. */
  error: string | null;
  /** The server's output, line by line. */
  output: string[];
}

/** How long a request waits for a server. */
export const patience = ({ config }: { config: Pick<Config, "answerWithinSeconds"> }): number =>
  config.answerWithinSeconds * 1_000;

interface Waiting {
  pool: Pool;
  listener: Pick<Listener, "listen">;
}

/**
 * Waits for the end of a run that was created in a committed transaction, in this or another process, and returns the
 * result: at the end, or at the timeout. The records that depend on the run are settled by then.
 */
export async function awaitRun(ctx: Waiting, runId: number, wait: Wait): Promise<RunReport> {
  const watched = {
    listener: ctx.listener,
    channel: runsChannel,
    payload: String(runId),
    look: () => findRun(ctx.pool, runId),
    isSettled: (run: Run | undefined) => !run || isEnded(run),
  };
  const run = await awaitChange(watched, wait);
  const ended = run !== undefined && isEnded(run);
  const output = await listOutput(ctx.pool, runId);
  return {
    outcome: ended ? (run.state as RunReport["outcome"]) : undefined,
    error: ended ? run.error : null,
    output: linesOf(output.map((piece) => piece.text)),
  };
}

/** The output with the error as its last line: a run that never reached its server printed nothing. */
export const outputWithError = ({ output, error }: RunReport): string[] =>
  error === null || output.includes(error) ? output : [...output, error];

/** Text that came in pieces, as lines, without the empty one after the last newline. */
export function linesOf(texts: readonly string[]): string[] {
  const lines = texts.join("").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
