import { scalarOf } from "../../../lib/foreign.ts";
import type { MonitorConfigBody } from "../schema.ts";
import { type Fields, isTrue, listOf, nameOf, numberOf, textOf, within } from "./fields.ts";
import type { ForeignMonitor } from "./schema.ts";

/** Monitors of Uptime Kuma's backup. */
export const readUptimeKuma = (data: Fields): ForeignMonitor[] => listOf(data.monitorList).map(read);

function read(fields: Fields): ForeignMonitor {
  const name = nameOf(fields.name);
  const foreign = { item: scalarOf(fields.id) || name, name, notes: [] as string[] };
  const isActive = fields.active === undefined || isTrue(fields.active);
  const reason = reasonAgainst(fields);
  if (reason !== undefined) return { ...foreign, wanted: undefined, reason };
  if (fields.type === "push") {
    const period = numberOf(fields.interval);
    const config = {
      ...thresholdOf(fields),
      ...(period && { expected_period_seconds: within(period, 60, 2_592_000) }),
    };
    return { ...foreign, wanted: { type: "heartbeat", name, is_active: isActive, config }, reason: undefined };
  }
  if ((numberOf(fields.maxredirects) ?? 10) > 0) foreign.notes.push("Redirects are not followed here.");
  if (isTrue(fields.ignoreTls)) foreign.notes.push("A certificate that is not valid fails here.");
  const status = expectedStatus(fields);
  const interval = numberOf(fields.interval);
  const timeout = numberOf(fields.timeout);
  const config: MonitorConfigBody = {
    url: textOf(fields.url) as string,
    method: (textOf(fields.method) ?? "GET") as "GET",
    ...(status !== null && status !== undefined && { expected_status: status }),
    ...(interval && { interval_seconds: within(interval, 1, 86_400) }),
    ...(timeout && { timeout_seconds: within(timeout, 1, 60) }),
    ...thresholdOf(fields),
  };
  return { ...foreign, wanted: { type: "http", name, is_active: isActive, config }, reason: undefined };
}

const methods = ["GET", "HEAD", "POST"];

/** Why a monitor cannot be expressed here; undefined if it can. */
function reasonAgainst(fields: Fields): string | undefined {
  const { type } = fields;
  if (type === "push") return undefined;
  if (type === "keyword" || type === "json-query") return "The content of answers is not looked at here.";
  if (type !== "http") return `There are no monitors of type ${textOf(type) ?? "unknown"} here.`;
  if (textOf(fields.url) === undefined) return "It has no address.";
  if (isTrue(fields.upsideDown)) return "A monitor that is up when nothing answers cannot be made.";
  const method = textOf(fields.method) ?? "GET";
  if (!methods.includes(method)) return `The method ${method} is not used here.`;
  if (textOf(fields.body) ?? textOf(fields.headers))
    return "Requests with headers or a body of their own cannot be made.";
  if (textOf(fields.basic_auth_user) ?? textOf(fields.authMethod)) return "Requests that sign in cannot be made.";
  if (expectedStatus(fields) === undefined) {
    return "It accepts several statuses; here it is one, or any from 200 to 299.";
  }
  return undefined;
}

/** The only accepted status; null: any 2xx; undefined: something else. */
function expectedStatus({ accepted_statuscodes: accepted }: Fields): number | null | undefined {
  const codes = Array.isArray(accepted) ? accepted.map(scalarOf) : ["200-299"];
  if (codes.length === 0 || codes.every((code) => code === "200-299")) return null;
  const [only, ...others] = codes;
  return others.length === 0 && /^[1-5]\d\d$/.test(only ?? "") ? Number(only) : undefined;
}

/** It goes down at the failure after this many retries. */
const thresholdOf = ({ maxretries }: Fields) => ({
  confirmation_threshold: within((numberOf(maxretries) ?? 0) + 1, 1, 10),
});
