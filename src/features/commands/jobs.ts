import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { dropPlan } from "../../engine/runs/queries.ts";
import type { Progress, RunKind } from "../../engine/runs/runs.ts";
import { maskedValues } from "../projects/logs.ts";
import { emitCommand, emitLogs } from "./events.ts";
import { listCommandsOfRuns } from "./queries.ts";
import { commandKind } from "./schema.ts";

// A person waits for it: hours later they may no longer want it.
const beginWithinMs = 60_000;

export const commandRunKinds = (ctx: Context): RunKind[] => [
  {
    ...commandKind,
    unreachableAfterMs: beginWithinMs,
    // Its environment is on the server already, with the release.
    secrets: async (run) => ({ files: {}, masked: await maskedValues(ctx, run.subject_id) }),
    onProgress: emitProgress,
    onEnded: async (tx, run) => {
      await dropPlan(tx, run.id);
      for (const command of await listCommandsOfRuns(tx, [run.id])) await emitCommand(tx, command);
    },
  },
];

async function emitProgress(tx: PoolClient, progress: readonly Progress[]): Promise<void> {
  const changed = progress.filter(({ piece: { output, steps } }) => output.length + steps.length > 0);
  const ids = changed.map(({ run }) => run.id);
  const commands = new Map((await listCommandsOfRuns(tx, ids)).map((command) => [command.run_id, command]));
  const grown = changed.flatMap(({ run, piece }) => {
    const command = commands.get(run.id);
    return command ? [{ command, offset: piece.output[0]?.offset }] : [];
  });
  await emitLogs(tx, grown);
}
