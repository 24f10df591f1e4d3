import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { type LogPageRequest, readLog, searchLog } from "../../engine/runs/log.ts";
import { createRun, requestCancel } from "../../engine/runs/runs.ts";
import { secretsInCommand } from "../../host/environment/secret-values.ts";
import type { LogSearchQuery } from "../../http/logs.ts";
import { pageOf, paginated, totalOf } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { getProject, placed } from "../projects/actions.ts";
import { projectState } from "../projects/capabilities.ts";
import { isMoving } from "../projects/hooks.ts";
import { maskedValues } from "../projects/logs.ts";
import { onServer } from "../projects/on-server.ts";
import { lockProject } from "../projects/queries.ts";
import { commandCapabilities, runningCapabilities } from "./capabilities.ts";
import { emitCommand } from "./events.ts";
import { commandPlan } from "./plans.ts";
import { type CommandPath, countCommands, countUnended, findCommand, insertCommand, listCommands } from "./queries.ts";
import {
  type CommandRequest,
  type CommandRow,
  commandKind,
  mostCommands,
  statusOf,
  usualTimeoutSeconds,
} from "./schema.ts";

const commandsPerPage = 50;

/** Runs a command once in the project's live release. */
export async function runCommand(ctx: RequestContext, projectId: number, request: Static<typeof CommandRequest>) {
  const { command, timeout_seconds = usualTimeoutSeconds } = request;
  const masked = await maskedValues(ctx, projectId);
  const queued = await transaction(ctx.pool, async (tx) => {
    const locked = await lockProject(tx, ctx.actor, projectId);
    if (!locked) throw notFound("The project");
    const project = request.server_id === undefined ? locked : await placed(tx, locked, request.server_id);
    await runningCapabilities.refuse("run_command", projectState(project), {
      leaving: () => project.placement.role === "leaving",
      moving: () => isMoving(tx, ctx, project.id),
      too_many: async () => (await countUnended(tx, project.id)) >= mostCommands,
    });
    const mask = masker([...masked, ...secretsInCommand(command)]);
    const plan = commandPlan(onServer(project, false), { command, timeoutSeconds: timeout_seconds });
    const { server_id: serverId } = project.placement;
    const commandId = await insertCommand(tx, {
      project_id: projectId,
      run_id: await createRun(tx, ctx.queue, { serverId, ...commandKind, subjectId: projectId, plan }),
      initiated_by: ctx.actor.userId,
      command: mask(command),
      timeout_seconds,
    });
    const row = await getCommand(tx, ctx, { projectId, commandId });
    await emitCommand(tx, row);
    return row;
  });
  return { message: "The command was queued.", data: commandRecord(queued) };
}

export async function showCommands(
  ctx: RequestContext,
  projectId: number,
  query: { page?: unknown; per_page?: unknown },
) {
  const page = pageOf(query, commandsPerPage);
  const commands = await listCommands(ctx.pool, ctx.actor, projectId, page);
  // Nothing to show: there is no such project, or no such page.
  if (commands.length === 0) await getProject(ctx, projectId);
  const total = await totalOf(page, commands, () => countCommands(ctx.pool, projectId));
  return paginated(page, total, commands.map(commandRecord));
}

/** A command with a page of what it printed. */
export async function showCommand(ctx: RequestContext, path: CommandPath, page: LogPageRequest) {
  const command = await getCommand(ctx.pool, ctx, path);
  const hasEnded = command.ended_at !== null;
  const log = await readLog(ctx.pool, [{ runId: command.run_id, base: 0, hasEnded }], { ...page, hasEnded });
  return { ...commandRecord(command), log };
}

export async function findInOutput(ctx: RequestContext, path: CommandPath, query: Static<typeof LogSearchQuery>) {
  const { run_id: runId, ended_at: endedAt } = await getCommand(ctx.pool, ctx, path);
  return searchLog(ctx.pool, [{ runId, base: 0, hasEnded: endedAt !== null }], query);
}

async function getCommand(db: Db, { actor }: Pick<RequestContext, "actor">, path: CommandPath): Promise<CommandRow> {
  const command = await findCommand(db, actor, path);
  if (!command) throw notFound("The command");
  return command;
}

const commandRecord = (command: CommandRow) => ({ ...command, status: statusOf(command) });

/** Ends a command with everything it started. A command that has not begun does not begin. */
export async function cancelCommand(ctx: RequestContext, path: CommandPath) {
  await transaction(ctx.pool, async (tx) => {
    const { run_id: runId } = await getCommand(tx, ctx, path);
    if (!(await requestCancel(tx, ctx.queue, runId))) throw commandCapabilities.refusal("cancel", "ended");
    await emitCommand(tx, await getCommand(tx, ctx, path));
  });
  return { message: "The command is being ended." };
}
