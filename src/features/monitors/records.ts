import { installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import { type Actor, can } from "../accounts/reach.ts";
import { shownChannel } from "./channels.ts";
import { pingUrlOf } from "./heartbeats/schema.ts";
import { timingInForce } from "./heartbeats/timing.ts";
import type { MonitorChannelRow } from "./queries.ts";
import { type MonitorRow, monitorableTypes, type TargetKind } from "./schema.ts";

type Shown = Pick<Context, "config" | "secrets">;

/** A monitor as the API shows it: the address to report to is complete for those who may change the monitor. */
export function monitorRecord(
  ctx: Shown & { actor: Actor },
  monitor: MonitorRow,
  channels: readonly MonitorChannelRow[],
) {
  return {
    id: monitor.id,
    type: monitor.type,
    name: monitor.name,
    is_active: monitor.is_active,
    current_status: monitor.current_status,
    monitorable_type: monitorableTypes[monitor.target],
    monitorable_id: monitorableId(monitor),
    project_id: monitor.project_id,
    config: configOf(monitor),
    notification_channels: channels.filter(({ monitor_id }) => monitor_id === monitor.id).map(shownChannel),
    last_checked_at: monitor.last_checked_at,
    last_status_changed_at: monitor.last_status_changed_at,
    is_flapping: monitor.flapping_since !== null,
    uptime_24h: monitor.uptime_24h,
    uptime_7d: monitor.uptime_7d,
    recent: (monitor.recent_ok ?? []).map((ok, at) => ({ ok, ms: monitor.recent_ms?.[at] ?? null })),
    created_at: monitor.created_at,
    updated_at: monitor.updated_at,
    ...(monitor.type === "heartbeat"
      ? { ping_url: shownPingUrl(ctx, monitor), last_ping_at: monitor.last_ping_at }
      : { certificate_expires_at: monitor.certificate_expires_at }),
  };
}

export const targetRecord = (monitor: MonitorRow) => ({
  type: monitorableTypes[monitor.target],
  id: monitorableId(monitor),
  name: monitor.target_name,
  project_id: monitor.project_id,
});

type Target = Pick<MonitorRow, "project_id" | "domain_id" | "job_id"> & { target: TargetKind };

const monitorableId = ({ domain_id, job_id, project_id }: Target): number => domain_id ?? job_id ?? project_id;

function configOf(monitor: MonitorRow) {
  const { confirmation_threshold } = monitor;
  if (monitor.type === "heartbeat") {
    return { ...heartbeatConfigOf(monitor), confirmation_threshold };
  }
  return {
    url: monitor.url as string,
    method: monitor.method as "GET",
    expected_status: monitor.expected_status,
    interval_seconds: monitor.interval_seconds as number,
    timeout_seconds: monitor.timeout_seconds as number,
    confirmation_threshold,
  };
}

/** The timing of a heartbeat that is in force: as it was set, or derived from the job. */
export function heartbeatConfigOf(monitor: MonitorRow) {
  const { cron_expression: schedule, timezone, expected_period_seconds, grace_seconds } = monitor;
  const timing = { schedule, timezone, periodSeconds: expected_period_seconds, graceSeconds: grace_seconds };
  const inForce = timingInForce(timing, new Date());
  return { expected_period_seconds: inForce.periodSeconds, grace_seconds: inForce.graceSeconds };
}

/** A change of a heartbeat's config without derived values that are sent back as shown: they stay derived. */
export function withoutDerived<Config extends object>(monitor: MonitorRow, config: Config): Partial<Config> {
  const shown = heartbeatConfigOf(monitor);
  const isDerived = (field: string, value: unknown): boolean =>
    (field === "expected_period_seconds" || field === "grace_seconds") &&
    monitor[field] === null &&
    value === shown[field];
  const kept = Object.entries(config).filter(([field, value]) => !isDerived(field, value));
  return Object.fromEntries(kept) as Partial<Config>;
}

// A report counts from any sender, so the address is a secret.
const shownPingUrl = (ctx: Shown & { actor: Actor }, monitor: MonitorRow): string =>
  can(ctx.actor, "monitor:manage") ? pingUrl(ctx, monitor) : pingUrlOf(installationUrl(ctx.config), "…");

/** The address that the job of a heartbeat reports to. */
export function pingUrl(ctx: Shown, { ping_token }: Pick<MonitorRow, "ping_token">): string {
  if (ping_token === null) throw new Error("Only heartbeats have a ping address.");
  return pingUrlOf(installationUrl(ctx.config), ctx.secrets.decrypt(ping_token));
}
