import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Outcome } from "./journal.ts";
import type { Listener } from "./listener.ts";
import { listOutput } from "./output.ts";
import { findRun, isEnded, type Run, runsChannel } from "./queries.ts";

/** What a run came to, for whoever waited for it. */
export interface RunReport {
  /** Undefined: it has not ended in time, and goes on. */
  outcome: Outcome | "stalled" | undefined;
  /** A sentence for the reader unless it succeeded. */
  error: string | null;
  /** What the server said, line by line. */
  output: string[];
}

interface Wait {
  timeoutMs: number;
  /** Ends the wait early, such as when nobody is left to be answered. */
  signal?: AbortSignal;
}

interface Waiting {
  pool: Pool;
  listener: Pick<Listener, "listen">;
}

// A notification wakes the wait at once; this is how long a lost one costs.
const lookMs = 2_000;

/**
 * Waits for the end of a run that was created in a committed transaction, whichever process works on it, and tells
 * what came of it: at the end, or when the time is up. The records that hang from the run are settled by then.
 */
export async function awaitRun(ctx: Waiting, runId: number, wait: Wait): Promise<RunReport> {
  const run = await untilEnded(ctx, runId, wait);
  const ended = run !== undefined && isEnded(run);
  const output = await listOutput(ctx.pool, runId);
  return {
    outcome: ended ? (run.state as RunReport["outcome"]) : undefined,
    error: ended ? run.error : null,
    output: linesOf(output.map((piece) => piece.text)),
  };
}

async function untilEnded(ctx: Waiting, runId: number, { timeoutMs, signal }: Wait): Promise<Run | undefined> {
  const deadline = performance.now() + timeoutMs;
  let bell = new AbortController();
  // An empty payload: notifications may have been missed.
  const ring = (payload: string) => (payload === "" || payload === String(runId) ? bell.abort() : undefined);
  const forget = await ctx.listener.listen(runsChannel, ring);
  try {
    for (;;) {
      // Before the look: what happens after it rings the new bell.
      bell = new AbortController();
      const run = await findRun(ctx.pool, runId);
      const left = deadline - performance.now();
      if (!run || isEnded(run) || left <= 0 || signal?.aborted) return run;
      const wake = signal ? AbortSignal.any([bell.signal, signal]) : bell.signal;
      await pause(Math.min(left, lookMs), undefined, { signal: wake }).catch(() => undefined);
    }
  } finally {
    forget();
  }
}

/** Text that came in pieces as lines, without the empty one after the last newline. */
export function linesOf(texts: readonly string[]): string[] {
  const lines = texts.join("").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
