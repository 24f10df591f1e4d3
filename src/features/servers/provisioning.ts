import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { findRunOf, isEnded, listRunSteps } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import { getServer } from "./actions.ts";
import { emitServer } from "./events.ts";
import { connectQueue, hasStoppedConnecting } from "./jobs.ts";
import { findServerForWork, lockReachableServer, provisionKind, restartConnecting } from "./queries.ts";
import { type ServerRow, serverStatus } from "./schema.ts";
import { setupRecord, stepRecord } from "./setup.ts";

/** The setup record: how far provisioning is, what failed, what took long. */
export async function showSetup(ctx: RequestContext, id: number, includeSteps: boolean) {
  const server = await getServer(ctx, id);
  const run = await findRunOf(ctx.pool, provisionKind, id);
  const steps = run ? await listRunSteps(ctx.pool, run.id) : [];
  const record = setupRecord(id, run, steps);
  const error = record.error ?? server.connection_error;
  return { ...record, error, ...(includeSteps ? { steps: steps.map(stepRecord) } : {}) };
}

/** Runs a setup again that gave up, or takes up again the attempts to connect that came to nothing. */
export async function retrySetup(ctx: RequestContext, id: number) {
  const message = await transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    if (server.server_status === serverStatus.provisioned) {
      throw new AppError("refused", `The setup of ${server.name} has reached its end: there is nothing to retry.`);
    }
    const isConnected = server.server_status === serverStatus.provisioning;
    const said = isConnected ? await runAgain(ctx, tx, server) : await connectAgain(ctx, tx, server);
    await emitServer(tx, server);
    return said;
  });
  return { message, server_id: id };
}

// Every step changes only what differs, so the former plan goes on where it gave up.
async function runAgain(ctx: RequestContext, tx: PoolClient, { id, name }: ServerRow): Promise<string> {
  const run = await findRunOf(tx, provisionKind, id);
  if (!run || !isEnded(run)) throw new AppError("refused", `The setup of ${name} is still running.`);
  await createRun(tx, ctx.queue, { serverId: id, kind: provisionKind, subjectId: id, plan: run.plan });
  return `The setup of ${name} runs again.`;
}

async function connectAgain(ctx: RequestContext, tx: PoolClient, { id, name }: ServerRow): Promise<string> {
  const server = await findServerForWork(tx, id);
  if (!server || !hasStoppedConnecting(ctx, server)) {
    throw new AppError("refused", `${name} is still being connected to. Run the connect command on it as root.`);
  }
  await restartConnecting(tx, id);
  await ctx.queue.enqueue(tx, connectQueue, { serverId: id }, { key: String(id) });
  return `${name} is being connected to again. Run the connect command on it as root if that was not done.`;
}
