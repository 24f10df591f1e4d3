import { stripVTControlCharacters } from "node:util";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { projectLayout } from "../../host/layout.ts";
import { printJobLog, printNodeLog } from "../../host/systemd/project-log.ts";
import type { RestartedUnit } from "../../host/systemd/restarts.ts";
import { messageOf } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { askForLog, maskedValues } from "../projects/logs.ts";
import { announceLoop, announceRecovery } from "./notices.ts";
import { deleteWatch, insertWatch, listWatches, type Subject, storeCheck, type Watch } from "./queries.ts";
import { firstMemory, isForgettable, judge, type ProcessCheck } from "./verdicts.ts";

type Checking = Pick<Context, "pool" | "hosts" | "log" | "queue" | "secrets">;

/**
 * Evaluates one check of the processes of a server: `units` are its projects' restarted units. Crash loops that begin or end are
 * stored and announced in one transaction, by compare-and-set: exactly once, also after crashes and with concurrent checks.
 */
export async function settleCheck(
  ctx: Checking,
  serverId: number,
  units: readonly RestartedUnit[],
  at: Date,
): Promise<void> {
  const watches = await listWatches(ctx.pool, serverId);
  if (watches.length + units.length === 0) return;
  const bySubject = Map.groupBy(units, ({ projectId, jobId }) => keyOf({ project_id: projectId, job_id: jobId }));
  for (const watch of watches) {
    const found = bySubject.get(keyOf(watch.subject)) ?? [];
    await settleWatch(ctx, watch, { at: at.getTime(), units: found, isDeploying: watch.isDeploying });
  }
  const known = new Set(watches.map(({ subject }) => keyOf(subject)));
  for (const [key, found] of bySubject) {
    const [first] = found;
    if (first === undefined || known.has(key)) continue;
    const memory = firstMemory({ at: at.getTime(), units: found, isDeploying: false });
    await insertWatch(ctx.pool, serverId, { project_id: first.projectId, job_id: first.jobId }, memory);
  }
}

const keyOf = ({ project_id, job_id }: Subject): string => `${project_id} ${job_id}`;

async function settleWatch(ctx: Checking, watch: Watch, check: ProcessCheck): Promise<void> {
  const verdict = judge(watch.memory, check);
  if (isForgettable(verdict.memory)) return void (await deleteWatch(ctx.pool, watch));
  // Before the transaction, which must not wait for a server.
  const loop =
    verdict.change === "began"
      ? { restarts: verdict.restarts, lastLines: await lastLinesOf(ctx, watch.subject) }
      : undefined;
  await transaction(ctx.pool, async (tx) => {
    if (!(await storeCheck(tx, watch, verdict.memory, loop))) return;
    if (loop) await announceLoop(tx, ctx, watch, { ...loop, since: new Date(check.at) });
    if (verdict.change === "ended") await announceRecovery(tx, ctx, watch, new Date(check.at));
  });
}

const askedLines = 40;

/** The last output of the processes; nothing if the server does not respond: the loop is announced anyway. */
async function lastLinesOf(ctx: Checking, { project_id, job_id, server_id }: Watch["subject"]): Promise<string[]> {
  const layout = projectLayout(project_id);
  const script = job_id === null ? printNodeLog(layout, askedLines) : printJobLog(layout, job_id, askedLines);
  try {
    const { stdout } = await askForLog(ctx, server_id, script);
    return shownLines(masker(await maskedValues(ctx, project_id))(stdout));
  } catch (error) {
    ctx.log.warn(`The last lines of project ${project_id} could not be read: ${messageOf(error)}`);
    return [];
  }
}

const mostLines = 20;
const longestLine = 300;
// A notification holds 4,000 characters, and the last lines are the ones that matter.
const mostCharacters = 3_000;

/** The last lines of a masked log, as a record and a message can hold them. */
export function shownLines(text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) =>
      stripVTControlCharacters(line)
        .replaceAll(/\p{Cc}/gu, " ")
        .trimEnd(),
    )
    .filter((line) => line !== "")
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine - 1).toWellFormed()}…` : line))
    .slice(-mostLines);
  let left = mostCharacters;
  const fitting = lines.reverse().filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
  return fitting.reverse();
}
