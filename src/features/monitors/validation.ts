import { isIP } from "node:net";
import { Type } from "typebox";
import type { Partly, RequestContext } from "../../http/route.ts";
import { parserOf } from "../../http/validation.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import { unreachableTarget } from "../../providers/notify/http.ts";
import { kinds } from "../../providers/notify/kinds.ts";
import { planLimits } from "../accounts/schema.ts";
import { listReachableAddresses } from "./checks/queries.ts";
import { mayCheck } from "./checks/reach.ts";
import { findMonitor, findPlan, listMonitorChannels } from "./queries.ts";
import { withoutDerived } from "./records.ts";
import {
  configSchemas,
  type MonitorConfigBody,
  type MonitorRequestBody,
  type MonitorRow,
  type MonitorType,
  type MonitorUpdateBody,
  monitorableTypes,
  type NotificationChannels,
  targetsOf,
} from "./schema.ts";

/** The errors of a new monitor beyond its schema. */
export async function newMonitorErrors(
  ctx: RequestContext,
  { body }: { body: Partly<MonitorRequestBody> },
): Promise<FieldErrors> {
  const { type, config } = body;
  const hasConfig = isGiven(config);
  return {
    ...targetErrors(body),
    ...(type === "http" && !hasConfig && { config: "The config is required." }),
    ...(hasConfig ? await configErrors(ctx, { type, config, isNew: true, currentInterval: null }) : {}),
    ...channelErrors(ctx, body.notification_channels, []),
  };
}

function targetErrors({ type, monitorable_type: given }: Partly<MonitorRequestBody>): FieldErrors {
  if (type === undefined || given === undefined) return {};
  const accepted: string[] = targetsOf[type].map((kind) => monitorableTypes[kind]);
  return accepted.includes(given)
    ? {}
    : { monitorable_type: `A monitor of type ${type} watches one of ${accepted.join(", ")}.` };
}

/** The errors of a change of a monitor; a field fixed at creation is rejected with any value. */
export async function monitorChangeErrors(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<MonitorUpdateBody> },
): Promise<FieldErrors> {
  const fixed = (["type", "monitorable_type", "monitorable_id"] as const).filter((field) => field in body);
  const monitor = await findMonitor(ctx.pool, ctx.actor, params.id);
  // The action answers 404.
  if (!monitor) return {};
  const stored = await listMonitorChannels(ctx.pool, [monitor.id]);
  const { config } = body;
  return {
    ...Object.fromEntries(
      fixed.map((field) => [field, `The ${field.replace("_", " ")} of a monitor is fixed. Create another monitor.`]),
    ),
    ...(isGiven(config) ? await changedConfigErrors(ctx, monitor, config) : {}),
    ...channelErrors(
      ctx,
      body.notification_channels,
      stored.map(({ shown_target }) => shown_target),
    ),
  };
}

const configParsers = {
  http: parserOf(Type.Object({ config: configSchemas.http })),
  heartbeat: parserOf(Type.Object({ config: configSchemas.heartbeat })),
  unknown: parserOf(Type.Object({ config: configSchemas.unknown })),
};

interface GivenConfig {
  type: MonitorType | undefined;
  config: unknown;
  isNew: boolean;
  currentInterval: number | null;
}

const isGiven = (config: unknown): boolean => config !== undefined && config !== null;

function changedConfigErrors(ctx: RequestContext, monitor: MonitorRow, given: unknown): Promise<FieldErrors> {
  const { type, interval_seconds: currentInterval } = monitor;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const config = type === "heartbeat" && isObject ? withoutDerived(monitor, given) : given;
  return configErrors(ctx, { type, config, isNew: false, currentInterval });
}

/** The warnings about fields of the config that monitors of this type do not have. */
export function ignoredFields(type: MonitorType, config: unknown): { warnings?: string[] } {
  const { unknown } = configParsers[type].parse({ config: structuredClone(config) });
  return unknown ? { warnings: Object.values(unknown.sentences) } : {};
}

/** The errors of the fields that the type has. */
async function configErrors(ctx: RequestContext, given: GivenConfig): Promise<FieldErrors> {
  const { type, isNew, currentInterval } = given;
  const { value, errors } = configParsers[type ?? "unknown"].parse({ config: structuredClone(given.config) });
  const { config } = value as { config?: Partly<MonitorConfigBody> };
  if (type !== "http" || config === undefined) return errors ?? {};
  return {
    ...(isNew && config.url === undefined && { "config.url": "The address is required." }),
    ...(await checkErrors(ctx, config, currentInterval)),
    ...errors,
  };
}

async function checkErrors(
  ctx: RequestContext,
  { url, interval_seconds: interval }: Partly<MonitorConfigBody>,
  currentInterval: number | null,
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const urlError = url === undefined ? undefined : await addressError(ctx, url);
  if (urlError !== undefined) errors["config.url"] = urlError;
  // A monitor with an interval that has become too short for its plan may keep it: it is checked as often as the plan allows.
  if (interval === undefined || interval === currentInterval) return errors;
  const plan = await findPlan(ctx.pool, ctx.actor.organizationId);
  const { monitorIntervalSeconds: least } = planLimits[plan];
  if (interval < least) {
    errors["config.interval_seconds"] =
      `The ${plan} plan checks every ${least} seconds at most, so the interval must be at least ${least} seconds.`;
  }
  return errors;
}

async function addressError({ pool, actor, config }: RequestContext, text: string): Promise<string | undefined> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "" || /[\s\p{Cc}]/u.test(text)) {
    return "The address must be a web address that begins with http:// or https://.";
  }
  if (url.username !== "" || url.password !== "") {
    return "The address must not contain a user name or a password: everyone who can read the monitor would see them.";
  }
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) === 0) return undefined;
  const ofServers = (await listReachableAddresses(pool, actor)).map(({ address }) => address);
  return mayCheck(config.monitorAllow, ofServers)(literal)
    ? undefined
    : `${literal} is a private or reserved address, and none of your connected servers has it as its public address, so it is not checked.`;
}

function channelErrors(
  { config }: Pick<RequestContext, "config">,
  channels: Partly<NotificationChannels> | undefined,
  storedTargets: readonly string[],
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [at, { type, target, bot_token: token }] of (channels ?? []).entries()) {
    if (type === undefined || target === undefined) continue;
    // A client may send it back as it was shown, with the rest of the record.
    if (storedTargets.includes(target) && token === undefined) continue;
    const read = kinds[type].read({ target, bot_token: token });
    const unreachable = unreachableTarget(target, config.notifyAllow);
    const found = "errors" in read ? read.errors : unreachable === undefined ? {} : { target: unreachable };
    for (const [field, message] of Object.entries(found)) errors[`notification_channels.${at}.${field}`] = message;
  }
  return errors;
}
