import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { awaitApplied, listSyncs } from "../../../engine/reconcile/reconcile.ts";
import { inSync } from "../../../engine/reconcile/target.ts";
import { patience } from "../../../engine/runs/await-run.ts";
import { workerMb } from "../../../host/php/pool.ts";
import { refuseChanged } from "../../../http/expected.ts";
import { type RequestContext, withStatus } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { valuesIn } from "../../../http/settings.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { findTotalMemory } from "../../servers/queries.ts";
import { getProject } from "../actions.ts";
import { projectCapabilities, projectState } from "../capabilities.ts";
import { emitUpdated } from "../events.ts";
import { lockProject } from "../queries.ts";
import type { PlacedProject } from "../schema.ts";
import { sentences } from "../validation.ts";
import { findPhpRefusal, writePhp } from "./queries.ts";
import { type PhpRow, type PhpUpdate, phpChoices } from "./schema.ts";
import { followPhp, phpKind } from "./target.ts";

/** The PHP of a project, and whether its servers have it. */
export async function showPhp(ctx: RequestContext, id: number) {
  const project = await getProject(ctx, id);
  await projectCapabilities.refuse("read_php", projectState(project));
  const syncs = await listSyncs(ctx.pool, phpKind, [id]);
  const memory = await findTotalMemory(ctx.pool, project.placement.server_id);
  return {
    ...project.php,
    most_workers: memory === undefined ? null : mostWorkers(memory),
    refusal: await findPhpRefusal(ctx.pool, id),
    sync: syncs.get(id) ?? inSync,
  };
}

/** Changes the given settings, and waits until the server has taken or refused them. Nothing is deployed. */
export async function changePhp(ctx: RequestContext, id: number, asked: Static<typeof PhpUpdate>) {
  const begun = await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    await projectCapabilities.refuse("change_php", projectState(project));
    refuseChanged(ctx, project);
    const php = valuesIn(phpChoices, project.php, asked);
    const errors = memoryErrors(php, await findTotalMemory(tx, project.placement.server_id));
    if (Object.keys(errors).length > 0) throw invalid(errors);
    await writePhp(tx, id, php);
    await emitUpdated(tx, project);
    return followPhp(tx, ctx, { ...project, php } satisfies PlacedProject);
  });
  if (!begun) return changed(ctx, id, "The settings were saved. The first deployment applies them.");
  const { state } = await awaitApplied(ctx, begun, { timeoutMs: patience(ctx), signal: ctx.signal });
  const refusal = await findPhpRefusal(ctx.pool, id);
  if (refusal !== null) throw new AppError("refused", `The change was taken back. ${refusal}`);
  return state === "applied"
    ? changed(ctx, id, "PHP has the settings.")
    : withStatus(202, await changed(ctx, id, "The settings were saved. The server gets them as soon as it can."));
}

const changed = async (ctx: RequestContext, id: number, message: string) =>
  success({ message, data: await showPhp(ctx, id) });

const mostWorkers = (memoryBytes: number): number => Math.floor(memoryBytes / 2 ** 20 / workerMb);

/** What does not fit into the memory of the server; undefined: that is not known yet. */
export function memoryErrors(php: PhpRow, memoryBytes: number | undefined): FieldErrors {
  if (memoryBytes === undefined) return {};
  const memoryMb = Math.floor(memoryBytes / 2 ** 20);
  const [workers, cacheMb] = [mostWorkers(memoryBytes), Math.floor(memoryMb / 2)];
  return sentences({
    max_workers:
      php.max_workers > workers
        ? `The server has ${memoryMb} MB of memory: at most ${workers} workers, one for each ${workerMb} MB.`
        : undefined,
    opcache_memory_mb:
      (php.opcache_memory_mb ?? 0) > cacheMb
        ? `The server has ${memoryMb} MB of memory: at most ${cacheMb} of them for compiled scripts.`
        : undefined,
  });
}
