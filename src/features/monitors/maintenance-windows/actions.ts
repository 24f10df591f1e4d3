import { transaction } from "../../../db/transaction.ts";
import { refuseChanged } from "../../../http/expected.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import {
  countWindows,
  deleteWindowRow,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
  replaceTargets,
  updateWindow,
  type WindowSettings,
} from "./queries.ts";
import type { WindowRequestBody, WindowRow, WindowUpdateBody } from "./schema.ts";
import { settingsAfter, targetsAfter } from "./settings.ts";

const windowsPerPage = 25;

const windowNotFound = (): AppError => notFound("The maintenance window");

export async function showWindows(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, windowsPerPage);
  const windows = await listWindows(ctx.pool, ctx.actor, page);
  const total = await totalOf(page, windows, () => countWindows(ctx.pool, ctx.actor));
  return paginated(page, total, windows.map(windowRecord));
}

export async function showWindow(ctx: RequestContext, id: number) {
  const window = await findWindow(ctx.pool, ctx.actor, id);
  if (!window) throw windowNotFound();
  return windowRecord(window);
}

function windowRecord(window: WindowRow) {
  const isOver = Date.parse(window.active_until) <= Date.now();
  const { organization_id: _, is_for_all, active_from, active_until, ...record } = window;
  return {
    ...record,
    all_monitors: is_for_all,
    next_starts_at: isOver ? null : active_from,
    next_ends_at: isOver ? null : active_until,
  };
}

/** The errors of a window beyond its schema. */
export async function checkWindow(
  ctx: RequestContext,
  { params, body }: { params: { id: number } | undefined; body: Partly<WindowUpdateBody> },
): Promise<FieldErrors> {
  const window = params && (await findWindow(ctx.pool, ctx.actor, params.id));
  // The action answers 404.
  if (params && !window) return {};
  return settingsAfter(window, body, new Date()).errors ?? {};
}

export async function createWindow(ctx: RequestContext, body: WindowRequestBody) {
  const settings = validSettings(undefined, body);
  refuseUnreachable(ctx, settings);
  const id = await transaction(ctx.pool, async (tx) => {
    const created = await insertWindow(tx, ctx.actor.organizationId, settings);
    const targets = targetsAfter(undefined, body);
    if (!(await replaceTargets(tx, ctx.actor, created, targets))) throw notFound("A monitor or server of the window");
    return created;
  });
  return { message: `The maintenance window ${settings.name} was created.`, data: await showWindow(ctx, id) };
}

/** Changes the given fields; the rest stays. */
export async function changeWindow(ctx: RequestContext, id: number, body: WindowUpdateBody) {
  await transaction(ctx.pool, async (tx) => {
    const window = await lockWindow(tx, ctx.actor, id);
    if (!window) throw windowNotFound();
    refuseChanged(ctx, window);
    const settings = validSettings(window, body);
    refuseUnreachable(ctx, settings);
    await updateWindow(tx, id, settings);
    const targets = settings.isForAll ? { monitorIds: [], serverIds: [] } : targetsAfter(window, body);
    if (!(await replaceTargets(tx, ctx.actor, id, targets))) throw notFound("A monitor or server of the window");
  });
  return { message: "The maintenance window was updated.", data: await showWindow(ctx, id) };
}

export async function deleteWindow(ctx: RequestContext, id: number) {
  const window = await transaction(ctx.pool, async (tx) => {
    const found = await lockWindow(tx, ctx.actor, id);
    if (!found || !(await deleteWindowRow(tx, id))) throw windowNotFound();
    return found;
  });
  return { message: `The maintenance window ${window.name} was deleted.` };
}

/** The window may have been changed since the request was checked. */
function validSettings(window: WindowRow | undefined, body: WindowUpdateBody): WindowSettings {
  const read = settingsAfter(window, body, new Date());
  if (read.errors) throw invalid(read.errors);
  return read.value;
}

function refuseUnreachable({ actor }: RequestContext, { isForAll }: WindowSettings): void {
  if (isForAll && actor.restriction) {
    throw new AppError("forbidden", "A window for all monitors needs a membership that is not restricted.");
  }
}
