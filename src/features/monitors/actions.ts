import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { transaction } from "../../db/transaction.ts";
import { refuseChanged } from "../../http/expected.ts";
import { sliced } from "../../http/lists.ts";
import { pageOf, paginated } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { planLimits } from "../accounts/schema.ts";
import { digestOf, newSecret } from "../accounts/tokens.ts";
import { replaceChannels } from "./channels.ts";
import { showLastPing } from "./heartbeats/last-ping.ts";
import { findHeartbeatOfJob } from "./heartbeats/queries.ts";
import { wireJob } from "./heartbeats/wiring.ts";
import {
  countMonitors,
  deleteMonitorRow,
  endObservation,
  findMonitor,
  findPlan,
  insertMonitor,
  listMonitorChannels,
  listMonitorEvents,
  listMonitors,
  lockMonitor,
  lockMonitorCount,
  lockTarget,
  type MonitorIdentity,
  type MonitorSettings,
  notifySchedulers,
  updateMonitorRow,
} from "./queries.ts";
import { monitorRecord, pingUrl, targetRecord, withoutDerived } from "./records.ts";
import {
  defaultIntervalSeconds,
  defaultThreshold,
  defaultTimeoutSeconds,
  type MonitorConfigBody,
  type MonitorEventQuery,
  type MonitorListQuery,
  type MonitorRequestBody,
  type MonitorRow,
  type MonitorType,
  type MonitorUpdateBody,
  maxIntervalSeconds,
  methods,
  monitorableTypes,
  shownEvents,
  type TargetKind,
  targetKinds,
  targetsOf,
} from "./schema.ts";
import { ignoredFields } from "./validation.ts";
import { emitMonitor } from "./verdicts/record.ts";

const monitorsPerPage = 25;

const monitorNotFound = (): AppError => notFound("The monitor");

// Reading ------------------------------------------------------------------------------------------------------------------

export async function showMonitors(ctx: RequestContext, query: Static<typeof MonitorListQuery>) {
  const page = pageOf(query, monitorsPerPage);
  const { type, status, project_id: projectIds, server_id: serverIds, q: text } = query;
  const filter = { type, status, projectIds, serverIds, text };
  const [monitors, total] = await Promise.all([
    listMonitors(ctx.pool, ctx.actor, filter, page),
    countMonitors(ctx.pool, ctx.actor, filter),
  ]);
  const channels = await listMonitorChannels(
    ctx.pool,
    monitors.map(({ id }) => id),
  );
  return paginated(
    page,
    total,
    monitors.map((monitor) => monitorRecord(ctx, monitor, channels)),
  );
}

/** 404 when it is out of reach. */
export async function getMonitor(ctx: RequestContext, id: number): Promise<MonitorRow> {
  const monitor = await findMonitor(ctx.pool, ctx.actor, id);
  if (!monitor) throw monitorNotFound();
  return monitor;
}

export async function showMonitor(ctx: RequestContext, id: number) {
  const monitor = await getMonitor(ctx, id);
  const channels = await listMonitorChannels(ctx.pool, [id]);
  const events = await listMonitorEvents(ctx.pool, ctx.actor, id, { limit: shownEvents });
  const ping = monitor.type === "heartbeat" ? { last_ping: await showLastPing(ctx, monitor) } : {};
  return { ...monitorRecord(ctx, monitor, channels), ...ping, target: targetRecord(monitor), events };
}

/** A page of the changes of a monitor's status, the newest first. */
export async function showMonitorEvents(
  ctx: RequestContext,
  id: number,
  { before, per_page: perPage = shownEvents }: Static<typeof MonitorEventQuery>,
) {
  await getMonitor(ctx, id);
  return sliced(await listMonitorEvents(ctx.pool, ctx.actor, id, { limit: perPage + 1, before }), perPage);
}

const labels: Record<MonitorType, string> = { http: "Health check", heartbeat: "Heartbeat" };

export async function showOptions({ pool, actor }: RequestContext) {
  const { monitorsOfType, monitorIntervalSeconds } = planLimits[await findPlan(pool, actor.organizationId)];
  return {
    types: (["http", "heartbeat"] as const).map((type) => ({
      type,
      label: labels[type],
      targets: targetsOf[type].map((kind) => monitorableTypes[kind]),
    })),
    methods: [...methods],
    interval: {
      min_seconds: monitorIntervalSeconds,
      max_seconds: maxIntervalSeconds,
      default_seconds: Math.max(defaultIntervalSeconds, monitorIntervalSeconds),
    },
    monitor_limit: { http: monitorsOfType, heartbeat: monitorsOfType },
    defaults: { timeout_seconds: defaultTimeoutSeconds, confirmation_threshold: defaultThreshold },
  };
}

// Creating ---------------------------------------------------------------------------------------------------------------

export async function createMonitor(ctx: RequestContext, body: MonitorRequestBody) {
  const settings = await newSettings(ctx, body);
  const { id, secrets, ping_url } = await transaction(ctx.pool, async (tx) => {
    const identity = await identify(tx, ctx, body);
    if (settings.isActive) await refuseOverLimit(tx, ctx, body.type);
    const id = await insertMonitor(tx, identity, settings);
    const monitor = (await findMonitor(tx, ctx.actor, id)) as MonitorRow;
    const secrets = await replaceChannels(tx, ctx, monitor, body.notification_channels ?? []);
    if (identity.jobId !== null) await wireJob(tx, ctx, { id: identity.jobId, projectId: identity.projectId });
    await announceChange(tx, monitor);
    return { id, secrets, ...(body.type === "heartbeat" && { ping_url: pingUrl(ctx, monitor) }) };
  });
  const data = {
    id,
    type: body.type,
    name: body.name,
    current_status: "pending" as const,
    is_active: settings.isActive,
  };
  return {
    ...ignoredFields(body.type, body.config),
    message: `The monitor ${body.name} was created.`,
    data: { ...data, ...(ping_url !== undefined && { ping_url }), ...shownOnce(secrets) },
  };
}

const shownOnce = <Secret>(secrets: readonly Secret[]) =>
  secrets.length === 0 ? {} : { webhook_secrets: [...secrets] };

/** The watched record, through the actor's reach. */
async function identify(tx: PoolClient, ctx: RequestContext, body: MonitorRequestBody): Promise<MonitorIdentity> {
  const kind = targetKinds.find((each) => monitorableTypes[each] === body.monitorable_type) as TargetKind;
  const { monitorable_id: id, type } = body;
  const target = await lockTarget(tx, ctx.actor, { kind, id });
  if (!target) throw notFound("The record to watch");
  if (type === "heartbeat" && (await findHeartbeatOfJob(tx, id))) {
    throw invalid({ monitorable_id: "The job has a heartbeat already: it reports to one." });
  }
  const token = type === "heartbeat" ? newSecret("") : undefined;
  return {
    organizationId: target.organization_id,
    projectId: target.project_id,
    type,
    target: kind,
    domainId: kind === "domain" ? id : null,
    jobId: type === "heartbeat" ? id : null,
    ping: token === undefined ? null : { token: ctx.secrets.encrypt(token), digest: digestOf(token) },
  };
}

async function newSettings(ctx: RequestContext, body: MonitorRequestBody): Promise<MonitorSettings> {
  const config = body.config ?? {};
  const isActive = body.is_active === undefined || isOn(body.is_active);
  const common = { name: body.name, isActive, threshold: config.confirmation_threshold ?? defaultThreshold };
  if (body.type === "heartbeat") return { ...common, ...noCheck, ...timingOf(config) };
  const { monitorIntervalSeconds } = planLimits[await findPlan(ctx.pool, ctx.actor.organizationId)];
  return {
    ...common,
    ...noTiming,
    url: new URL(config.url as string).href,
    method: config.method ?? "GET",
    expectedStatus: config.expected_status ?? null,
    intervalSeconds: config.interval_seconds ?? Math.max(defaultIntervalSeconds, monitorIntervalSeconds),
    timeoutSeconds: config.timeout_seconds ?? defaultTimeoutSeconds,
  };
}

const noCheck = { url: null, method: null, expectedStatus: null, intervalSeconds: null, timeoutSeconds: null };
const noTiming = { expectedPeriodSeconds: null, graceSeconds: null };

const timingOf = ({ expected_period_seconds: period, grace_seconds: grace }: MonitorConfigBody) => ({
  expectedPeriodSeconds: period ?? null,
  graceSeconds: grace ?? null,
});

/** Rejects an active monitor beyond the plan's limit; the count stays valid until the commit. */
async function refuseOverLimit(tx: PoolClient, { actor }: RequestContext, type: MonitorType): Promise<void> {
  const count = await lockMonitorCount(tx, actor.organizationId, type);
  const plan = await findPlan(tx, actor.organizationId);
  const limit = planLimits[plan].monitorsOfType;
  if (limit === null || count < limit) return;
  throw new AppError(
    "plan_limit",
    `The ${plan} plan covers ${limit} active monitors of type ${type}. Turn one off, or upgrade the organization's plan.`,
  );
}

// Changing ---------------------------------------------------------------------------------------------------------------

/** Changes the given fields; the rest stays. */
export async function updateMonitor(ctx: RequestContext, id: number, body: MonitorUpdateBody) {
  const changed = await transaction(ctx.pool, async (tx) => {
    const monitor = await lockMonitor(tx, ctx.actor, id);
    if (!monitor) throw monitorNotFound();
    refuseChanged(ctx, monitor);
    const settings = settingsAfter(monitor, body);
    const isSwitched = settings.isActive !== monitor.is_active;
    if (isSwitched && settings.isActive) await refuseOverLimit(tx, ctx, monitor.type);
    if (isSwitched) await endObservation(tx, id);
    // Results with the former settings confirm nothing for these.
    const isOtherCheck =
      settings.url !== monitor.url ||
      settings.method !== monitor.method ||
      settings.expectedStatus !== monitor.expected_status ||
      settings.intervalSeconds !== monitor.interval_seconds ||
      settings.timeoutSeconds !== monitor.timeout_seconds ||
      settings.threshold !== monitor.confirmation_threshold ||
      settings.expectedPeriodSeconds !== monitor.expected_period_seconds ||
      settings.graceSeconds !== monitor.grace_seconds;
    await updateMonitorRow(tx, id, settings, { isReset: isSwitched, isOtherCheck });
    const { notification_channels: channels } = body;
    const secrets = channels ? await replaceChannels(tx, ctx, { ...monitor, name: settings.name }, channels) : [];
    await announceChange(tx, monitor);
    return {
      name: settings.name,
      isActive: settings.isActive,
      secrets,
      ignored: ignoredFields(monitor.type, body.config),
    };
  });
  return {
    ...changed.ignored,
    message: `The monitor ${changed.name} was updated.`,
    data: { id, is_active: changed.isActive, ...shownOnce(changed.secrets) },
  };
}

function settingsAfter(monitor: MonitorRow, body: MonitorUpdateBody): MonitorSettings {
  const config = body.config ?? {};
  const common = {
    name: body.name ?? monitor.name,
    isActive: body.is_active === undefined ? monitor.is_active : isOn(body.is_active),
    threshold: config.confirmation_threshold ?? monitor.confirmation_threshold,
  };
  if (monitor.type === "heartbeat") {
    const { expected_period_seconds, grace_seconds } = monitor;
    const changes = withoutDerived(monitor, config);
    return { ...common, ...noCheck, ...timingOf({ expected_period_seconds, grace_seconds, ...changes }) };
  }
  return {
    ...common,
    ...noTiming,
    url: config.url === undefined ? monitor.url : new URL(config.url).href,
    method: config.method ?? monitor.method,
    expectedStatus: config.expected_status === undefined ? monitor.expected_status : config.expected_status,
    intervalSeconds: config.interval_seconds ?? monitor.interval_seconds,
    timeoutSeconds: config.timeout_seconds ?? monitor.timeout_seconds,
  };
}

export async function deleteMonitor(ctx: RequestContext, id: number) {
  const monitor = await transaction(ctx.pool, async (tx) => {
    const monitor = await lockMonitor(tx, ctx.actor, id);
    if (!monitor || !(await deleteMonitorRow(tx, id))) throw monitorNotFound();
    if (monitor.job_id !== null) await wireJob(tx, ctx, { id: monitor.job_id, projectId: monitor.project_id });
    await announceChange(tx, monitor);
    return monitor;
  });
  return { message: `The monitor ${monitor.name} was deleted with its events.` };
}

/** Readers of the record and the checking processes are notified of a change at the commit. */
async function announceChange(tx: PoolClient, monitor: MonitorRow): Promise<void> {
  await emitMonitor(tx, monitor);
  await notifySchedulers(tx, monitor.id);
}
