import type { Static } from "typebox";
import { findRun, findRunOf, isEnded, listRunSteps } from "../../../engine/runs/queries.ts";
import type { RequestContext, StreamAnswer } from "../../../http/route.ts";
import { streamLog } from "../../events/log-stream.ts";
import type { EventRow } from "../../events/schema.ts";
import { getServer } from "../actions.ts";
import { orderingOf } from "../hooks.ts";
import { findServer, findServerForWork, setupKind } from "../queries.ts";
import { getSetup } from "./actions.ts";
import { setupState, stepRecord, summaryOf } from "./record.ts";
import type { SetupLogStreamQuery } from "./schema.ts";

/** Streams the log of a setup: the one that the request names, the newest, or the first one that begins. */
export async function followSetup(
  ctx: RequestContext,
  id: number,
  { run_id: asked, ...query }: Static<typeof SetupLogStreamQuery>,
): Promise<StreamAnswer> {
  const { actor, pool, hooks } = ctx;
  await getServer(ctx, id);
  let runId = (await getSetup(ctx, id, asked))?.id;
  const look = async () => {
    const [server, run, orders] = await Promise.all([
      findServerForWork(pool, id),
      runId === undefined ? findRunOf(pool, setupKind, id) : findRun(pool, runId),
      asked === undefined ? orderingOf({ hooks }).listProgress(pool, [id]) : undefined,
    ]);
    if (!server) return undefined;
    const order = orders?.get(id);
    // A later setup is another log.
    runId ??= run?.id;
    const steps = run ? await listRunSteps(pool, run.id) : [];
    const hasEnded = run !== undefined && isEnded(run);
    return {
      status: {
        status: order && !run ? order.state : setupState(run, summaryOf(steps)),
        error: run?.error ?? order?.error ?? (asked === undefined ? server.connection_error : null),
      },
      steps: [...(order?.steps ?? []), ...steps].map(stepRecord),
      parts: run ? [{ runId: run.id, base: 0, hasEnded }] : [],
      hasEnded,
    };
  };
  const effectOf = ({ name, server_id }: EventRow) => {
    if (server_id !== id || !name.startsWith("server.")) return undefined;
    return name === "server.transferred" || name === "server.deleted" ? "reach" : "change";
  };
  const isReached = async () => (await findServer(pool, actor, id)) !== undefined;
  return streamLog(ctx, { key: `setup ${runId ?? `of ${id}`}`, look, isReached, effectOf }, query);
}
