import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { retryServer } from "../../engine/reconcile/reconcile.ts";
import type { DueRows } from "../../engine/schedule/schedule.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { messageOf } from "../../lib/errors.ts";
import { emitServer } from "./events.ts";
import { type ServerCheck, serverChecks } from "./hooks.ts";
import { claimConnectionChecks, recordConnection } from "./queries.ts";
import { scheduleCheck, unreachableAfterMinutes } from "./unreachable.ts";

export const connectionSchedule = (ctx: Context): DueRows<{ id: number }> => ({
  name: "check-connections",
  everyMs: 10_000,
  batch: 100,
  // A server that does not answer occupies a slot until the attempt times out.
  concurrency: 500,
  claim: claimConnectionChecks,
  work: ({ id }) => checkConnection(ctx, id),
});

const connectionMs = 10_000;
const partSeconds = 5;
// As Base64, the output of all parts stays below the 1 MiB that a connection accepts.
const mostBytes = 720 * 1024;

async function checkConnection(ctx: Context, serverId: number): Promise<void> {
  const checks = serverChecks.of(ctx);
  let answer: string;
  try {
    const connection = await ctx.hosts.get(serverId);
    const timeoutMs = connectionMs + checks.length * partSeconds * 1_000;
    const { stdout } = await connection.exec(scriptOf(checks), { timeoutMs });
    answer = stdout;
  } catch (error) {
    return recordConnectionCheck(ctx, serverId, messageOf(error));
  }
  await recordConnectionCheck(ctx, serverId, null);
  // What a part prints, or a failure here, proves nothing about the connection.
  for (const [at, { name, settle }] of checks.entries()) {
    try {
      await settle(ctx, serverId, outputOf(at, answer));
    } catch (err) {
      ctx.log.warn({ err, serverId, check: name }, "a check of a server failed");
    }
  }
}

// One line of Base64 for each part, so that none can print what another is expected to print. With pipefail, a part whose output
// is cut off has failed, and prints no line.
function scriptOf(checks: readonly ServerCheck[]): Script {
  const bytes = Math.floor(mostBytes / checks.length);
  const parts = checks.map(
    ({ script: { script } }, at) => sh`
      (
        set -o pipefail
        output=$(timeout --kill-after=1 ${partSeconds} bash -c ${script} < /dev/null 2> /dev/null | head -c ${bytes} | base64 --wrap=0) &&
          printf 'check-%s %s\\n' ${at} "$output"
      )`,
  );
  return lines(...parts, sh`true`);
}

function outputOf(at: number, answer: string): string {
  const [, output] = new RegExp(`^check-${at} ([A-Za-z0-9+/]*={0,2})$`, "m").exec(answer) ?? [];
  if (output === undefined) throw new Error("Its script did not succeed in time on the server, or printed too much.");
  return Buffer.from(output, "base64").toString();
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
