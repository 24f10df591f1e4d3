import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { retryServer } from "../../engine/reconcile/reconcile.ts";
import type { DueRows } from "../../engine/schedule/schedule.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { longestUsage, printUsage, readUsage, type Usage } from "../../host/system/usage.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { claimConnectionChecks, recordConnection } from "./connecting/queries.ts";
import { emitServer } from "./events.ts";
import { serverChecks } from "./hooks.ts";
import type { ConnectionProblem } from "./schema.ts";
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
const usagePart = { name: "usage", script: printUsage, bytes: longestUsage };
// As Base64, the output of all parts stays below the 1 MiB that a connection accepts.
const mostBytes = 720 * 1024;

async function checkConnection(ctx: Context, serverId: number): Promise<void> {
  const checks = serverChecks.of(ctx);
  const bytes = Math.floor(mostBytes / Math.max(1, checks.length));
  const parts = [...checks.map(({ name, script }) => ({ name, script, bytes })), usagePart];
  let answer: string;
  try {
    const connection = await ctx.hosts.get(serverId);
    const timeoutMs = connectionMs + parts.length * partSeconds * 1_000;
    const { stdout } = await connection.exec(scriptOf(parts), { timeoutMs });
    answer = stdout;
  } catch (error) {
    return recordConnectionCheck(ctx, serverId, failureOf(error));
  }
  // What a part prints, or a failure here, proves nothing about the connection.
  const attempt = async <Result>(check: string, work: () => Result) => {
    try {
      return await work();
    } catch (err) {
      ctx.log.warn({ err, serverId, check }, "a check of a server failed");
      return undefined;
    }
  };
  const usage = await attempt(usagePart.name, () => readUsage(outputOf(checks.length, answer)));
  await recordConnectionCheck(ctx, serverId, { error: null, usage });
  for (const [at, { name, settle }] of checks.entries()) {
    await attempt(name, () => settle(ctx, serverId, outputOf(at, answer)));
  }
}

/** A part of the one query: what it may print is bounded. */
interface Part {
  script: Script;
  bytes: number;
}

// One line of Base64 for each part, so that none can print what another is expected to print. With pipefail, a part whose output
// is cut off has failed, and prints no line.
function scriptOf(parts: readonly Part[]): Script {
  const each = parts.map(
    ({ script: { script }, bytes }, at) => sh`
      (
        set -o pipefail
        output=$(timeout --kill-after=1 ${partSeconds} bash -c ${script} < /dev/null 2> /dev/null | head -c ${bytes} | base64 --wrap=0) &&
          printf 'check-%s %s\\n' ${at} "$output"
      )`,
  );
  return lines(...each, sh`true`);
}

function outputOf(at: number, answer: string): string {
  const [, output] = new RegExp(`^check-${at} ([A-Za-z0-9+/]*={0,2})$`, "m").exec(answer) ?? [];
  if (output === undefined) throw new Error("Its script did not succeed in time on the server, or printed too much.");
  return Buffer.from(output, "base64").toString();
}

const problems: Partial<Record<string, ConnectionProblem>> = {
  authentication_refused: "key_refused",
  host_key_changed: "host_key_changed",
};

/** What a failed attempt to connect is recorded as. */
export const failureOf = (error: unknown): { error: string; problem: ConnectionProblem } => ({
  error: messageOf(error),
  problem: (error instanceof AppError ? problems[error.code] : undefined) ?? "unreachable",
});

/** Records the result of an attempt to connect, and what follows from a change; `error` is null for a success. */
export async function recordConnectionCheck(
  ctx: Context,
  serverId: number,
  { error, ...found }: { error: string | null; problem?: ConnectionProblem | null; usage?: Usage | undefined },
): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const changed = await recordConnection(tx, serverId, { status: error === null ? 1 : 0, error, ...found });
    if (!changed) return;
    await emitServer(tx, changed);
    if (error === null) await retryServer(tx, ctx.queue, serverId);
    if (!changed.was_connected || error === null) return;
    await scheduleCheck(tx, ctx.queue, serverId, unreachableAfterMinutes);
  });
}
