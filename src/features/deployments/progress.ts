import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Progress } from "../../engine/runs/runs.ts";
import { showAtHosts } from "./commit-statuses/target.ts";
import { emitLogs, type GrownLog } from "./events.ts";
import { offsetInLog } from "./log.ts";
import { listDeploymentsForWork } from "./queries.ts";

/** Announces what runs of deployments have printed, and which of their steps have begun or ended. */
export async function emitProgress(tx: PoolClient, ctx: Context, progress: readonly Progress[]): Promise<void> {
  const changed = progress.filter(({ piece: { output, steps } }) => output.length + steps.length > 0);
  const ids = changed.map(({ run }) => run.subject_id);
  const deployments = new Map((await listDeploymentsForWork(tx, ids)).map((each) => [each.id, each]));
  const grown: GrownLog[] = [];
  for (const { run, piece } of changed) {
    const deployment = deployments.get(run.subject_id);
    if (!deployment) continue;
    const from = piece.output[0]?.offset;
    const offset =
      from === undefined ? undefined : await offsetInLog(tx, ctx, deployment, { runId: run.id, offset: from });
    grown.push({ deployment, offset });
  }
  await emitLogs(tx, grown);
  // Until it was fetched, its commit may not be known.
  const fetched = progress.filter(({ piece }) => piece.facts.commit !== undefined).map(({ run }) => run.subject_id);
  if (fetched.length > 0) await showAtHosts(tx, ctx, fetched);
}
