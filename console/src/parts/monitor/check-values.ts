import type { MonitorConfigRequest } from "../../../../contract/types.ts";
import type { Monitor, MonitorType } from "../../data/monitors.ts";
import { numberIn } from "../form-text.ts";

/** How a monitor checks, as people edit it: what is not set is an empty text. The names are those of the API's `config`. */
export interface CheckValues {
  url: string;
  method: string;
  expected_status: string;
  interval_seconds: string;
  timeout_seconds: string;
  confirmation_threshold: string;
  expected_period_seconds: string;
  grace_seconds: string;
}
export type CheckField = keyof CheckValues;

const fieldsOfType: Record<MonitorType, readonly CheckField[]> = {
  http: ["url", "method", "expected_status", "interval_seconds", "timeout_seconds", "confirmation_threshold"],
  heartbeat: ["expected_period_seconds", "grace_seconds", "confirmation_threshold"],
};

/** What a field is called on the page. */
export const checkLabels: Record<CheckField, string> = {
  url: "Address",
  method: "Method",
  expected_status: "Expected status",
  interval_seconds: "Interval",
  timeout_seconds: "Timeout",
  confirmation_threshold: "Failures before down",
  expected_period_seconds: "Expected period",
  grace_seconds: "Grace",
};

export const emptyCheck: CheckValues = {
  url: "",
  method: "GET",
  expected_status: "",
  interval_seconds: "",
  timeout_seconds: "",
  confirmation_threshold: "",
  expected_period_seconds: "",
  grace_seconds: "",
};

export function checkValuesOf(config: Monitor["config"]): CheckValues {
  const given = Object.entries(config).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { ...emptyCheck, ...Object.fromEntries(given) };
}

const emptyIsNull: readonly CheckField[] = ["expected_status", "expected_period_seconds", "grace_seconds"];
const texts: readonly CheckField[] = ["url", "method"];

/**
 * The `config` of a request with these fields, if monitors of the type have them. An empty field is null where that means "any" or
 * "derived", and left out elsewhere.
 */
export function configOf(
  type: MonitorType,
  values: CheckValues,
  names: readonly CheckField[] = fieldsOfType[type],
): MonitorConfigRequest {
  const sent = names.filter((name) => fieldsOfType[type].includes(name));
  return Object.fromEntries(sent.flatMap((name) => sentAs(name, values[name].trim())));
}

function sentAs(name: CheckField, text: string): [CheckField, string | number | null][] {
  if (text === "") return emptyIsNull.includes(name) ? [[name, null]] : [];
  return [[name, texts.includes(name) ? text : numberIn(text)]];
}
