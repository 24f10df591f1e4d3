import type { Static } from "typebox";
import { listRunSteps } from "../../engine/runs/queries.ts";
import type { LogStreamQuery } from "../../http/logs.ts";
import type { RequestContext, StreamAnswer } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { effectOnProject, shownStep, streamLog } from "../events/log-stream.ts";
import type { EventRow } from "../events/schema.ts";
import { type CommandPath, findCommand, listCommandsOfRuns } from "./queries.ts";
import { statusOf } from "./schema.ts";

/** Streams what a command prints. */
export async function followCommand(
  ctx: RequestContext,
  path: CommandPath,
  query: Static<typeof LogStreamQuery>,
): Promise<StreamAnswer> {
  const { actor, pool } = ctx;
  const find = () => findCommand(pool, actor, path);
  const found = await find();
  if (!found) throw notFound("The command");
  const { run_id: runId } = found;
  const look = async () => {
    const [command] = await listCommandsOfRuns(pool, [runId]);
    if (!command) return undefined;
    const hasEnded = command.ended_at !== null;
    const steps = (await listRunSteps(pool, runId)).map(shownStep);
    const status = { status: statusOf(command), error: command.error };
    return { status, steps, parts: [{ runId, base: 0, hasEnded }], hasEnded };
  };
  const record = {
    key: `command ${path.commandId}`,
    look,
    isReached: async () => (await find()) !== undefined,
    effectOf: (event: EventRow) =>
      event.name.startsWith("command.") && event.data.id === path.commandId
        ? ("change" as const)
        : effectOnProject(event, path.projectId),
  };
  return streamLog(ctx, record, query);
}
