import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { retryServer } from "../../engine/reconcile/reconcile.ts";
import type { DueRows } from "../../engine/schedule/schedule.ts";
import { type Script, sh } from "../../host/sh.ts";
import { messageOf } from "../../lib/errors.ts";
import { emitServer } from "./events.ts";
import { claimConnectionChecks, recordConnection } from "./queries.ts";
import { scheduleCheck, unreachableAfterMinutes } from "./unreachable.ts";

/** A further query at each check of a server's connection, every minute: one for all of its projects. */
export interface ServerCheck {
  /** Ends within seconds, succeeds, and prints little. */
  script: Script;
  settle: (ctx: Context, serverId: number, answer: string) => Promise<void>;
}

export const connectionSchedule = (ctx: Context, check?: ServerCheck): DueRows<{ id: number }> => ({
  name: "check-connections",
  everyMs: 10_000,
  batch: 100,
  // A server that does not answer occupies a slot until the attempt times out.
  concurrency: 500,
  claim: claimConnectionChecks,
  work: ({ id }) => checkConnection(ctx, id, check),
});

async function checkConnection(ctx: Context, serverId: number, check?: ServerCheck): Promise<void> {
  let answer: string;
  try {
    const connection = await ctx.hosts.get(serverId);
    const { stdout } = await connection.exec(check?.script ?? sh`true`, { timeoutMs: 10_000 });
    answer = stdout;
  } catch (error) {
    return recordConnectionCheck(ctx, serverId, messageOf(error));
  }
  await recordConnectionCheck(ctx, serverId, null);
  // A failure of the further query proves nothing about the connection.
  await check?.settle(ctx, serverId, answer).catch((err: unknown) => {
    ctx.log.warn({ err, serverId }, "the processes of a server could not be checked");
  });
}

/** Records the result of an attempt to connect, and what follows from a change; `error` is null for a success. */
export async function recordConnectionCheck(ctx: Context, serverId: number, error: string | null): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const changed = await recordConnection(tx, serverId, { status: error === null ? 1 : 0, error });
    if (!changed) return;
    await emitServer(tx, changed);
    if (error === null) await retryServer(tx, ctx.queue, serverId);
    if (!changed.was_connected || error === null) return;
    await scheduleCheck(tx, ctx.queue, serverId, unreachableAfterMinutes);
  });
}
