import { scalarOf } from "../../../lib/foreign.ts";
import type { MonitorConfigBody } from "../schema.ts";
import {
  type Fate,
  type Fields,
  fitted,
  isTrue,
  listOf,
  nameOf,
  notesOf,
  numberOf,
  periodOf,
  secondsPerDay,
  textOf,
} from "./fields.ts";
import type { ForeignMonitor } from "./schema.ts";

/** Monitors of Uptime Kuma's backup. */
export const readUptimeKuma = (data: Fields): ForeignMonitor[] => listOf(data.monitorList).map(read);

function read(fields: Fields): ForeignMonitor {
  const notes: string[] = [];
  const name = nameOf(fields.name, notes);
  const ids = [scalarOf(fields.id), name].filter((id) => id !== "");
  const reason = reasonAgainst(fields);
  if (reason !== undefined) return { ids, name, notes, wanted: undefined, reason };
  const isPush = fields.type === "push";
  const config = isPush ? heartbeatConfig(fields, notes) : httpConfig(fields, notes);
  notes.push(...notesOf(fields, isPush ? fatesOfPush : fatesOfHttp));
  const is_active = fields.active === undefined || isTrue(fields.active);
  return { ids, name, notes, wanted: { type: isPush ? "heartbeat" : "http", name, is_active, config }, reason };
}

function heartbeatConfig(fields: Fields, notes: string[]): MonitorConfigBody {
  const interval = numberOf(fields.interval);
  const period = interval ? periodOf(interval, notes) : undefined;
  return { ...thresholdOf(fields, notes), ...(period && { expected_period_seconds: period }) };
}

function httpConfig(fields: Fields, notes: string[]): MonitorConfigBody {
  const status = expectedStatus(fields);
  const interval = numberOf(fields.interval);
  const timeout = numberOf(fields.timeout);
  const [intervals, timeouts] = [
    { what: "interval in seconds", least: 1, most: secondsPerDay },
    { what: "timeout in seconds", least: 1, most: 60 },
  ];
  if ((numberOf(fields.maxredirects) ?? 10) > 0) notes.push("Redirects are not followed here.");
  return {
    url: textOf(fields.url) as string,
    method: (textOf(fields.method) ?? "GET") as "GET",
    ...(status !== null && status !== undefined && { expected_status: status }),
    ...(interval && { interval_seconds: fitted(interval, intervals, notes) }),
    ...(timeout && { timeout_seconds: fitted(timeout, timeouts, notes) }),
    ...thresholdOf(fields, notes),
  };
}

/** It goes down at the failure after this many retries. */
const thresholdOf = ({ maxretries }: Fields, notes: string[]) => ({
  confirmation_threshold: fitted(
    (numberOf(maxretries) ?? 0) + 1,
    { what: "number of failures before it is down", least: 1, most: 10 },
    notes,
  ),
});

const methods = ["GET", "HEAD", "POST"];
const longestUrl = 2_000;

/** Why a monitor cannot be expressed here; undefined if it can. */
function reasonAgainst(fields: Fields): string | undefined {
  const { type } = fields;
  if (type === "keyword" || type === "json-query") return "The content of answers is not looked at here.";
  if (type !== "http" && type !== "push")
    return `There are no monitors of type ${textOf(type)?.slice(0, 50) ?? "unknown"} here.`;
  if (isTrue(fields.upsideDown)) return "A monitor that is up when nothing answers cannot be made.";
  if (type === "push") return undefined;
  const url = textOf(fields.url);
  if (url === undefined) return "It has no address.";
  if (url.length > longestUrl) return `Its address has more than ${longestUrl} characters.`;
  const method = textOf(fields.method) ?? "GET";
  if (!methods.includes(method)) return `The method ${method.slice(0, 20)} is not used here.`;
  if (textOf(fields.body) ?? textOf(fields.headers))
    return "Requests with headers or a body of their own cannot be made.";
  if (signIns.some((field) => textOf(fields[field]))) return "Requests that sign in cannot be made.";
  if (expectedStatus(fields) === undefined) {
    return "It accepts several statuses; here it is one, or any from 200 to 299.";
  }
  return undefined;
}

const signIns = ["basic_auth_user", "authMethod", "tlsCert", "oauth_client_id"];

/** The only accepted status; null: any 2xx; undefined: something else. */
function expectedStatus({ accepted_statuscodes: accepted }: Fields): number | null | undefined {
  const codes = Array.isArray(accepted) ? accepted.map(scalarOf) : ["200-299"];
  if (codes.length === 0 || codes.every((code) => code === "200-299")) return null;
  const [only, ...others] = codes;
  return others.length === 0 && /^[1-5]\d\d$/.test(only ?? "") ? Number(only) : undefined;
}

const harmless = (...fields: string[]): Record<string, Fate> =>
  Object.fromEntries(fields.map((field) => [field, "harmless"]));

// Those of both types.
const common: Record<string, Fate> = {
  ...Object.fromEntries(
    ["id", "name", "type", "active", "interval", "maxretries", "upsideDown"].map((field) => [field, "taken" as const]),
  ),
  description: () => "Its description is left out.",
  parent: () => "It is in no group here.",
  tags: () => "Its tags are left out.",
  notificationIDList: () => "Its notifications are left out: the organization's notification channels are used.",
  resendInterval: () => "An outage is reported once here, not again while it lasts.",
  retryInterval: (value, { interval, maxretries }) =>
    numberOf(maxretries) && numberOf(value) !== numberOf(interval)
      ? `After a failure the next checks follow by Longshore's own rule, not every ${scalarOf(value)} seconds.`
      : undefined,
  maintenance: () => "It is in maintenance there: add a maintenance window here.",
  forceInactive: () => "It is switched off there by its group.",
  // Of other types, which are there with their defaults, and what is only shown there. Certificates that end are always reported.
  ...harmless(
    "weight",
    "pathName",
    "path",
    "childrenIDs",
    "screenshot",
    "includeSensitiveData",
    "user_id",
    "created_date",
  ),
  ...harmless(
    "expiryNotification",
    "domainExpiryNotification",
    "saveResponse",
    "saveErrorResponse",
    "responseMaxLength",
  ),
  ...harmless(
    "hostname",
    "port",
    "packetSize",
    "keyword",
    "invertKeyword",
    "jsonPath",
    "jsonPathOperator",
    "expectedValue",
  ),
  ...harmless("dns_resolve_type", "dns_resolve_server", "dns_last_result", "docker_container", "docker_host", "game"),
  ...harmless("gamedigGivenPortOnly", "databaseQuery", "databaseConnectionString", "conditions", "smtpSecurity"),
  ...harmless("mqttTopic", "mqttSuccessMessage", "mqttCheckType", "mqttUsername", "mqttPassword", "mqttWebsocketPath"),
  ...harmless("grpcUrl", "grpcProtobuf", "grpcMethod", "grpcServiceName", "grpcEnableTls", "grpcBody", "grpcMetadata"),
  ...harmless("radiusUsername", "radiusPassword", "radiusSecret", "radiusCalledStationId", "radiusCallingStationId"),
  ...harmless("kafkaProducerTopic", "kafkaProducerBrokers", "kafkaProducerSsl", "kafkaProducerMessage"),
  ...harmless("kafkaProducerAllowAutoTopicCreation", "kafkaProducerSaslOptions", "snmpOid", "snmpVersion"),
  ...harmless(
    "rabbitmqNodes",
    "rabbitmqUsername",
    "rabbitmqPassword",
    "remote_browser",
    "manual_start",
    "system_service_name",
  ),
  ...harmless("ping_numeric", "ping_count", "ping_per_request_timeout"),
  // What signs in is a reason against it; these come with it, or with a default.
  ...harmless("basic_auth_pass", "authWorkstation", "authDomain", "tlsKey", "httpBodyEncoding", "pushToken"),
  ...harmless("oauth_auth_method", "oauth_client_secret", "oauth_token_url", "oauth_scopes", "oauth_audience"),
};

const fatesOfHttp: Record<string, Fate> = {
  ...common,
  ...Object.fromEntries(
    ["url", "method", "timeout", "maxredirects", "accepted_statuscodes"].map((field) => [field, "taken" as const]),
  ),
  ignoreTls: () => "A certificate that is not valid fails here.",
  tlsCa: () => "Its authority for certificates is left out: only those that are trusted everywhere pass.",
  proxyId: () => "Its proxy is left out: Longshore connects directly.",
  cacheBust: () => "Its address is requested as it is, without a parameter against caches.",
  ipFamily: (value) => `Addresses of both families are used, not only of ${scalarOf(value).slice(0, 10)}.`,
  retryOnlyOnStatusCodeFailure: () => "Every kind of failure is confirmed by further checks.",
};

const fatesOfPush: Record<string, Fate> = {
  ...common,
  // They are there with their defaults.
  ...harmless("url", "method", "timeout", "maxredirects", "accepted_statuscodes", "ignoreTls", "proxyId", "tlsCa"),
  ...harmless("cacheBust", "ipFamily", "retryOnlyOnStatusCodeFailure", ...signIns, "headers", "body"),
};
