import type { JobHandler } from "../queue/worker.ts";
import { bringToEnd, type FollowContext, passOnCancel } from "./follow.ts";
import { cancelQueue, runQueue } from "./runs.ts";
import { UpdateBatcher } from "./update-batcher.ts";

/** The jobs of every kind of run: bring it to its end, and pass a cancel on. */
export function runJobs(given: Omit<FollowContext, "updates">): JobHandler[] {
  const ctx = { ...given, updates: new UpdateBatcher(given) };
  return [
    {
      name: runQueue,
      // Following only waits and needs no thread: the queue_limit of a server bounds its runs.
      concurrency: 1_000,
      work: (data, signal) => bringToEnd(ctx, Number(data.runId), signal),
    },
    { name: cancelQueue, concurrency: 100, work: (data) => passOnCancel(ctx, Number(data.runId)) },
  ];
}
