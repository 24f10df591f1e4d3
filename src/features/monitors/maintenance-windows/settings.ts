import { readCronExpression } from "../../../host/jobs/cron.ts";
import type { Partly } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import type { FieldErrors } from "../../../lib/errors.ts";
import { isTimezone } from "../../../lib/timezone.ts";
import { occurrenceAt } from "./occurrences.ts";
import type { WindowSettings, WindowTargets } from "./queries.ts";
import type { WindowRow, WindowUpdateBody } from "./schema.ts";

type Body = Partly<WindowUpdateBody>;
type Times = Omit<WindowSettings, "name" | "isForAll">;
type Read<Value> = { value: Value; errors?: undefined } | { errors: FieldErrors };

/** The settings of a window after a request, or all errors of the request; without a window, of a new one. */
export function settingsAfter(window: WindowRow | undefined, body: Body, now: Date): Read<WindowSettings> {
  // A request that names records means these, not all.
  const namesNone = body.monitor_ids === undefined && body.server_ids === undefined;
  const isForAll =
    body.all_monitors === undefined ? namesNone && (window?.is_for_all ?? false) : isOn(body.all_monitors);
  const { monitorIds, serverIds } = targetsAfter(window, body);
  const hasTargets = isForAll || monitorIds.length + serverIds.length > 0;
  const errors: FieldErrors = {
    ...formatErrors(body),
    ...(hasTargets ? {} : { monitor_ids: "Name monitors or servers, or set all_monitors." }),
  };
  const times = timesAfter(window, body, now);
  // A time that cannot be read is reported as such, even if it is wrong in another way too.
  if (times.errors) return { errors: { ...times.errors, ...errors } };
  if (Object.keys(errors).length > 0) return { errors };
  return { value: { name: body.name ?? window?.name ?? "", isForAll, ...times.value } };
}

export const targetsAfter = (window: WindowRow | undefined, body: Body): WindowTargets => ({
  monitorIds: body.monitor_ids ?? window?.monitor_ids ?? [],
  serverIds: body.server_ids ?? window?.server_ids ?? [],
});

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

const isMoment = (text: string): boolean => moment.test(text) && !Number.isNaN(Date.parse(text));

function formatErrors(body: Body): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of ["starts_at", "ends_at"] as const) {
    const value = body[field];
    if (typeof value === "string" && !isMoment(value)) {
      errors[field] = `The ${field.replace("_", " ")} must be a time such as 2026-12-24T22:00:00Z.`;
    }
  }
  if (typeof body.timezone === "string" && !isTimezone(body.timezone)) {
    errors.timezone = "The timezone must be a name of the time zone database, such as Europe/Berlin.";
  }
  return errors;
}

function timesAfter(window: WindowRow | undefined, body: Body, now: Date): Read<Times> {
  const isOnce = typeof body.starts_at === "string" || typeof body.ends_at === "string";
  const isRecurring = typeof body.cron_expression === "string" || typeof body.duration_seconds === "number";
  if (isOnce && isRecurring) {
    const sentence = "A window is once (starts_at, ends_at) or recurs (cron_expression, duration_seconds).";
    return { errors: { cron_expression: sentence } };
  }
  const recurs = isRecurring || (!isOnce && typeof window?.cron_expression === "string");
  return recurs ? recurringTimes(window, body, now) : timesOnce(window, body);
}

function timesOnce(window: WindowRow | undefined, body: Body): Read<Times> {
  const startsAt = body.starts_at ?? window?.starts_at;
  const endsAt = body.ends_at ?? window?.ends_at;
  if (!startsAt || !endsAt) {
    const errors: FieldErrors = {};
    if (!startsAt) errors.starts_at = "The start is required, or a cron expression with a duration.";
    if (!endsAt) errors.ends_at = "The end is required.";
    return { errors };
  }
  const [activeFrom, activeUntil] = [new Date(startsAt), new Date(endsAt)];
  if (activeUntil <= activeFrom) return { errors: { ends_at: "The end must come after the start." } };
  const once = { startsAt, endsAt, cronExpression: null, timezone: null, durationSeconds: null };
  return { value: { ...once, activeFrom, activeUntil } };
}

function recurringTimes(window: WindowRow | undefined, body: Body, now: Date): Read<Times> {
  const errors: FieldErrors = {};
  const read = readCronExpression(body.cron_expression ?? window?.cron_expression ?? "");
  const cronExpression = "error" in read ? undefined : read.expression;
  if ("error" in read) errors.cron_expression = read.error;
  else if (cronExpression === "@reboot") {
    errors.cron_expression = "The cron expression must name times: @reboot does not.";
  }
  const durationSeconds = body.duration_seconds ?? window?.duration_seconds;
  if (!durationSeconds) errors.duration_seconds = "The duration is required with a cron expression.";
  const timezone = body.timezone ?? window?.timezone ?? "UTC";
  if (errors.cron_expression || cronExpression === undefined || !durationSeconds || !isTimezone(timezone)) {
    return { errors };
  }
  const occurrence = occurrenceAt({ cronExpression, timezone, durationSeconds }, now);
  if (!occurrence) return { errors: { cron_expression: "The cron expression names a day that never comes." } };
  const recurring = { startsAt: null, endsAt: null, cronExpression, timezone, durationSeconds };
  return { value: { ...recurring, activeFrom: occurrence.from, activeUntil: occurrence.until } };
}
