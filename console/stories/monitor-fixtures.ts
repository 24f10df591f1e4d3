import type { Account, MonitorOptions } from "../../contract/types.ts";
import { me } from "../src/data/me.ts";
import {
  type Monitor,
  type MonitorDetails,
  type MonitorEvent,
  type MonitorHistory,
  monitorOptions,
} from "../src/data/monitors.ts";
import { projectNames, projectsNamed } from "../src/data/names.ts";
import { listed } from "./answers.ts";
import { projects as examples } from "./records.ts";

export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const recent = (failed: readonly number[] = []) =>
  Array.from({ length: 60 }, (_, index) =>
    failed.includes(index) ? { ok: false, ms: null } : { ok: true, ms: 60 + ((index * 37) % 23) * 4 },
  );

const shop: Monitor = {
  ...{ id: 1, type: "http", name: "Shop", is_active: true, current_status: "up", project_id: 7 },
  ...{ monitorable_type: "App\\Models\\Project", monitorable_id: 7, notification_channels: [] },
  config: {
    ...{ url: "https://shop.example.com/health", method: "GET", expected_status: null, interval_seconds: 60 },
    ...{ timeout_seconds: 10, confirmation_threshold: 3 },
  },
  ...{ last_checked_at: ago(0.4), last_status_changed_at: ago(5_000), is_flapping: false },
  ...{ certificate_expires_at: ago(-90_000), uptime_24h: 100, uptime_7d: 99.987, recent: recent() },
  ...{ created_at: ago(90_000), updated_at: ago(90_000) },
};

export const monitorOf = (more: Partial<Monitor> = {}): Monitor => ({ ...shop, ...more });

const heartbeat: Partial<Monitor> = {
  ...{ type: "heartbeat", monitorable_type: "App\\Models\\SchedulerJob", monitorable_id: 3, recent: [] },
  config: { expected_period_seconds: 86_400, grace_seconds: 43_200, confirmation_threshold: 3 },
  last_ping_at: ago(180),
};

export const monitors: Monitor[] = [
  monitorOf({
    ...{ id: 2, name: "Checkout of the shop with a name that is longer than its column", current_status: "down" },
    ...{
      last_status_changed_at: ago(4),
      uptime_24h: 99.2,
      uptime_7d: 99.81,
      recent: recent([57, 58, 59]),
      is_flapping: true,
    },
  }),
  monitorOf(),
  monitorOf({ id: 3, name: "متجر الكتب", project_id: 8, certificate_expires_at: ago(-14_000), recent: recent([20]) }),
  monitorOf({ id: 4, name: "Nightly backup", ...heartbeat }),
  monitorOf({
    ...{ id: 5, name: "New blog", current_status: "pending", last_status_changed_at: null, recent: [] },
    ...{ uptime_24h: null, uptime_7d: null, certificate_expires_at: null },
  }),
  monitorOf({
    id: 6,
    name: "Old site",
    is_active: false,
    current_status: "pending",
    uptime_24h: null,
    uptime_7d: null,
  }),
];

export const events: readonly MonitorEvent[] = [
  {
    ...{ id: 61, status: "down", message: "It answered 502 instead of a status from 200 to 299.", resolved_at: null },
    created_at: ago(4),
    context: {
      ...{ status: 502, latency_ms: 34.2, failures: 3, address: "203.0.113.7" },
      phases_ms: { dns: 2.1, connect: 9.8, tls: 31, first_byte: 33.9, whole: 34.2 },
      second_opinion: { server_id: 3, server_name: "web-1", is_up: false, status: 502, message: "It answered 502." },
      deployment: {
        ...{ id: 812, project_id: 7, process_type: "deployment", status: 1, rolling_of: null, commit_url: null },
        ...{ commit_id: "3fa92b10a4".padEnd(40, "0"), description: "Push by Nora", switched_at: ago(6.2) },
      },
      rollback: { refusal: "The deployment is not live any more." },
    },
  },
  {
    ...{ id: 55, status: "up", message: "It answered 200.", resolved_at: null, created_at: ago(5_000) },
    context: { status: 200, latency_ms: 88 },
  },
  {
    ...{ id: 54, status: "down", resolved_at: ago(5_000), created_at: ago(5_012), message: "The job ended with 1." },
    context: { exit_status: 1, duration_ms: 65_000, output: "pg_dump: error: connection to server failed" },
  },
];

export const monitorDetails = (more: Partial<MonitorDetails> = {}): MonitorDetails => ({
  ...shop,
  target: { type: "App\\Models\\Project", id: 7, name: "Shop", project_id: 7 },
  events: [...events],
  ...more,
});

export const heartbeatDetails = (more: Partial<MonitorDetails> = {}): MonitorDetails => ({
  ...monitorDetails({ ...heartbeat, id: 4, name: "Nightly backup" } as Partial<MonitorDetails>),
  last_ping: {
    ...{ kind: "fail", exit_status: 1, duration_ms: 65_200 },
    body: "Dumping shop…\npg_dump: error: connection to server on socket failed",
  },
  ...more,
});

const hourMs = 3_600_000;
const begin = Math.floor(Date.now() / hourMs) * hourMs - 23 * hourMs;
export const hour = (index: number, minute = 0): string =>
  new Date(begin + index * hourMs + minute * 60_000).toISOString();
const statuses = { none: 0, "1xx": 0, "2xx": 60, "3xx": 0, "4xx": 0, "5xx": 0 };

export const hours: MonitorHistory["points"] = Array.from({ length: 24 }, (_, index) => ({
  ...{ at: hour(index), checks: 60, ok: index === 14 ? 35 : 60, unobserved: 0, average_ms: 90, statuses },
  ...{ p50_ms: 70 + ((index * 7) % 23), p95_ms: 130 + ((index * 13) % 67) + (index === 15 ? 180 : 0) },
  ...{ up_seconds: index === 14 ? 2_100 : 3_600, down_seconds: index === 14 ? 1_500 : 0 },
}));

export const history: MonitorHistory = {
  ...{ from: hour(0), to: hour(24), resolution: "hour", uptime: 98.26 },
  points: hours.filter((_, index) => index < 4 || index > 6),
  states: [
    { state: "up", from: hour(0), to: hour(4) },
    { state: "unobserved", from: hour(4), to: hour(7) },
    { state: "up", from: hour(7), to: hour(14, 10) },
    { state: "down", from: hour(14, 10), to: hour(14, 35) },
    { state: "up", from: hour(14, 35), to: null },
  ],
};

const account: Account = {
  ...{
    id: 1,
    name: "Alice",
    email: "alice@example.com",
    current_organization_id: 1,
    two_factor: false,
    passkeys: 0,
    sends_mail: true,
  },
  organizations: [{ id: 1, name: "Acme", role: "Owner", plan: "business" }],
  organization: {
    ...{ id: 1, name: "Acme", role: "Owner", restriction: null },
    permissions: ["project:read", "server:read", "monitor:read", "monitor:manage"],
    limits: { servers: null, monitors_of_type: 50, monitor_interval_seconds: 60 },
  },
};

export const options: MonitorOptions = {
  types: [
    { type: "http", label: "Health check", targets: ["App\\Models\\Project", "App\\Models\\Domain"] },
    { type: "heartbeat", label: "Heartbeat", targets: ["App\\Models\\SchedulerJob", "App\\Models\\BackgroundJob"] },
  ],
  methods: ["GET", "HEAD", "POST"],
  interval: { min_seconds: 60, max_seconds: 86_400, default_seconds: 60 },
  monitor_limit: { http: 50, heartbeat: 50 },
  defaults: { timeout_seconds: 10, confirmation_threshold: 3 },
};

const projects = listed(examples(3));

/** What the pages of organization 1 have read. */
export const known = [
  [me(1).queryKey, { data: account }],
  [monitorOptions(1).queryKey, { data: options }],
  [projectNames(1, [7]).queryKey, projects],
  [projectsNamed(1, "").queryKey, projects],
] as const;
