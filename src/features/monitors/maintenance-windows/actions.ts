import { transaction } from "../../../db/transaction.ts";
import { readCronExpression } from "../../../host/jobs/cron.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { isTimezone } from "../../../lib/timezone.ts";
import { occurrenceAt } from "./occurrences.ts";
import {
  countWindows,
  deletedWindow,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
  replaceTargets,
  updateWindow,
  type WindowSettings,
} from "./queries.ts";
import type { WindowRequestBody, WindowRow, WindowUpdateBody } from "./schema.ts";

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

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The errors of a window beyond its schema. */
export function checkWindow(_ctx: RequestContext, { body }: { body: Partly<WindowUpdateBody> }): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of ["starts_at", "ends_at"] as const) {
    const value = body[field];
    if (typeof value === "string" && (!moment.test(value) || Number.isNaN(Date.parse(value)))) {
      errors[field] = `The ${field.replace("_", " ")} must be a time such as 2026-12-24T22:00:00Z.`;
    }
  }
  const read = typeof body.cron_expression === "string" ? readCronExpression(body.cron_expression) : undefined;
  if (read && "error" in read) errors.cron_expression = read.error;
  else if (read && read.expression === "@reboot") {
    errors.cron_expression = "The cron expression must name times: @reboot does not.";
  }
  if (typeof body.timezone === "string" && !isTimezone(body.timezone)) {
    errors.timezone = "The timezone must be a name of the time zone database, such as Europe/Berlin.";
  }
  return errors;
}

export async function createWindow(ctx: RequestContext, body: WindowRequestBody) {
  const settings = settingsAfter(undefined, body);
  refuseUnreachable(ctx, settings);
  const id = await transaction(ctx.pool, async (tx) => {
    const created = await insertWindow(tx, ctx.actor.organizationId, settings);
    const targets = { monitorIds: body.monitor_ids ?? [], serverIds: body.server_ids ?? [] };
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
    const settings = settingsAfter(window, body);
    refuseUnreachable(ctx, settings);
    await updateWindow(tx, id, settings);
    const targets = settings.isForAll ? { monitorIds: [], serverIds: [] } : targetsAfter(window, body);
    if (!(await replaceTargets(tx, ctx.actor, id, targets))) throw notFound("A monitor or server of the window");
  });
  return { message: "The maintenance window was updated.", data: await showWindow(ctx, id) };
}

const targetsAfter = (window: WindowRow | undefined, body: WindowUpdateBody) => ({
  monitorIds: body.monitor_ids ?? window?.monitor_ids ?? [],
  serverIds: body.server_ids ?? window?.server_ids ?? [],
});

export async function deleteWindow(ctx: RequestContext, id: number) {
  const window = await transaction(ctx.pool, async (tx) => {
    const found = await lockWindow(tx, ctx.actor, id);
    if (!found || !(await deletedWindow(tx, id))) throw windowNotFound();
    return found;
  });
  return { message: `The maintenance window ${window.name} was deleted.` };
}

function refuseUnreachable({ actor }: RequestContext, { isForAll }: WindowSettings): void {
  if (isForAll && actor.restriction) {
    throw new AppError("forbidden", "A window for all monitors needs a membership that is not restricted.");
  }
}

type Times = Omit<WindowSettings, "name" | "isForAll">;

function settingsAfter(window: WindowRow | undefined, body: WindowUpdateBody): WindowSettings {
  // A request that names records means these, not all.
  const namesNone = body.monitor_ids === undefined && body.server_ids === undefined;
  const isForAll =
    body.all_monitors === undefined ? namesNone && (window?.is_for_all ?? false) : isOn(body.all_monitors);
  const { monitorIds, serverIds } = targetsAfter(window, body);
  if (!isForAll && monitorIds.length + serverIds.length === 0) {
    throw invalid({ monitor_ids: "Name monitors or servers, or set all_monitors." });
  }
  const isOnce = typeof body.starts_at === "string" || typeof body.ends_at === "string";
  const isRecurring = typeof body.cron_expression === "string" || typeof body.duration_seconds === "number";
  if (isOnce && isRecurring) {
    throw invalid({
      cron_expression: "A window is once (starts_at, ends_at) or recurs (cron_expression, duration_seconds).",
    });
  }
  const recurs = isRecurring || (!isOnce && window?.cron_expression !== undefined && window.cron_expression !== null);
  const times = recurs ? recurringTimes(window, body) : timesOnce(window, body);
  return { name: body.name ?? window?.name ?? "", isForAll, ...times };
}

function timesOnce(window: WindowRow | undefined, body: WindowUpdateBody): Times {
  const startsAt = body.starts_at ?? window?.starts_at;
  const endsAt = body.ends_at ?? window?.ends_at;
  if (!startsAt) throw invalid({ starts_at: "The start is required, or a cron expression with a duration." });
  if (!endsAt) throw invalid({ ends_at: "The end is required." });
  const [activeFrom, activeUntil] = [new Date(startsAt), new Date(endsAt)];
  if (activeUntil <= activeFrom) throw invalid({ ends_at: "The end must come after the start." });
  return { startsAt, endsAt, cronExpression: null, timezone: null, durationSeconds: null, activeFrom, activeUntil };
}

function recurringTimes(window: WindowRow | undefined, body: WindowUpdateBody): Times {
  const read = readCronExpression(body.cron_expression ?? window?.cron_expression ?? "");
  if ("error" in read) throw invalid({ cron_expression: read.error });
  const durationSeconds = body.duration_seconds ?? window?.duration_seconds;
  if (!durationSeconds) throw invalid({ duration_seconds: "The duration is required with a cron expression." });
  const timezone = body.timezone ?? window?.timezone ?? "UTC";
  const cronExpression = read.expression;
  const occurrence = occurrenceAt({ cronExpression, timezone, durationSeconds }, new Date());
  if (!occurrence) throw invalid({ cron_expression: "The cron expression names a day that never comes." });
  const active = { activeFrom: occurrence.from, activeUntil: occurrence.until };
  return { startsAt: null, endsAt: null, cronExpression, timezone, durationSeconds, ...active };
}
