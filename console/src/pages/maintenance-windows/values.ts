import type { MaintenanceWindowRequest } from "../../../../contract/types.ts";
import type { MaintenanceWindow } from "./window.ts";
import { ownZone } from "./window-text.ts";

export type Unit = "minutes" | "hours" | "days";

/** Seconds. */
const units: Record<Unit, number> = { minutes: 60, hours: 3_600, days: 86_400 };

/** The fields of the form, as people edit them. Times of a window that is once are in the browser's zone. */
export interface WindowValues {
  name: string;
  repeats: boolean;
  starts_at: string;
  ends_at: string;
  cron_expression: string;
  duration: string;
  unit: Unit;
  timezone: string;
  all_monitors: boolean;
  monitor_ids: readonly number[];
  server_ids: readonly number[];
}

/** The props of a part of the form. */
export interface FieldsProps {
  values: WindowValues;
  set: (values: Partial<WindowValues>) => void;
}

export const newValues = (isRestricted: boolean): WindowValues => ({
  name: "",
  repeats: false,
  starts_at: "",
  ends_at: "",
  cron_expression: "",
  duration: "1",
  unit: "hours",
  timezone: ownZone,
  all_monitors: !isRestricted,
  monitor_ids: [],
  server_ids: [],
});

export const valuesOf = (window: MaintenanceWindow): WindowValues => ({
  ...newValues(false),
  name: window.name,
  repeats: window.cron_expression !== null,
  starts_at: window.starts_at ? localOf(window.starts_at) : "",
  ends_at: window.ends_at ? localOf(window.ends_at) : "",
  cron_expression: window.cron_expression ?? "",
  ...(window.duration_seconds !== null && durationOf(window.duration_seconds)),
  timezone: window.timezone ?? ownZone,
  all_monitors: window.all_monitors,
  monitor_ids: window.monitor_ids,
  server_ids: window.server_ids,
});

/** In the largest unit that it is a whole number of. */
export function durationOf(seconds: number): Pick<WindowValues, "duration" | "unit"> {
  const unit = (["days", "hours"] as const).find((each) => seconds % units[each] === 0) ?? "minutes";
  return { duration: String(seconds / units[unit]), unit };
}

/** "2026-12-24T22:00", as an input of a date and time has it. */
export function localOf(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What is no time is sent as it is: the API says what is wrong with it. */
export function isoOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}

export function requestOf(values: WindowValues): MaintenanceWindowRequest {
  const { name, all_monitors, monitor_ids, server_ids } = values;
  const targets = all_monitors ? { all_monitors } : { monitor_ids, server_ids };
  return { name: name.trim(), ...targets, ...(values.repeats ? repeatingOf(values) : onceOf(values)) };
}

const onceOf = ({ starts_at, ends_at }: WindowValues) => ({ starts_at: isoOf(starts_at), ends_at: isoOf(ends_at) });

const repeatingOf = ({ cron_expression, duration, unit, timezone }: WindowValues) => ({
  cron_expression: cron_expression.trim(),
  duration_seconds: secondsOf(duration, unit) as number,
  timezone,
});

/** What is no number is sent as it is: the API says what is wrong with it. */
function secondsOf(duration: string, unit: Unit): number | string {
  const count = Number(duration.replace(",", "."));
  return Number.isFinite(count) ? Math.round(count * units[unit]) : duration;
}
