import type { Static } from "typebox";
import { success } from "../../http/schemas.ts";
import type {
  HistoryReply,
  MonitorCreated,
  MonitorPage,
  MonitorReply,
  MonitorRequest,
  OptionsReply,
} from "./schema.ts";

// Examples for the API documentation.

const project = "App\\Models\\Project";
const time = "2026-03-01T10:20:30.123456Z";
const config = {
  url: "https://shop.example.com/up",
  method: "GET",
  expected_status: null,
  interval_seconds: 60,
  timeout_seconds: 10,
  confirmation_threshold: 3,
} as const;

export const monitorRequestExample: Static<typeof MonitorRequest> = {
  type: "http",
  name: "Shop",
  monitorable_type: project,
  monitorable_id: 7,
  config: { url: "https://shop.example.com/up" },
  notification_channels: [{ type: "email", target: "ops@example.com", on: ["down", "up"] }],
};

export const monitorCreatedExample: Static<typeof MonitorCreated> = success({
  message: "The monitor Shop was created.",
  data: { id: 4, type: "http", name: "Shop", current_status: "pending", is_active: true },
});

const monitor: Static<typeof MonitorPage>["data"][number] = {
  id: 4,
  type: "http",
  name: "Shop",
  is_active: true,
  current_status: "up",
  monitorable_type: project,
  monitorable_id: 7,
  project_id: 7,
  config,
  notification_channels: [{ type: "email", target: "ops@example.com", on: ["down", "up"] }],
  last_checked_at: time,
  last_status_changed_at: time,
  is_flapping: false,
  certificate_expires_at: "2026-05-30T10:20:30.000000Z",
  uptime_24h: 99.93,
  uptime_7d: 99.99,
  recent: [
    { ok: true, ms: 84 },
    { ok: false, ms: null },
    { ok: true, ms: 91 },
  ],
  created_at: time,
  updated_at: time,
};

export const monitorPageExample: Static<typeof MonitorPage> = {
  current_page: 1,
  data: [monitor],
  per_page: 25,
  total_pages: 1,
  total_items: 1,
};

export const monitorExample: Static<typeof MonitorReply> = success({
  data: {
    ...monitor,
    target: { type: project, id: 7, name: "Shop", project_id: 7 },
    events: [
      {
        id: 61,
        status: "down",
        message: "It answered 502 instead of a status from 200 to 299.",
        context: { status: 502 },
        resolved_at: time,
        created_at: "2026-03-01T10:19:30.123456Z",
      },
    ],
  },
});

export const optionsExample: Static<typeof OptionsReply> = success({
  data: {
    types: [{ type: "http", label: "Health check", targets: [project, "App\\Models\\Domain"] }],
    methods: ["GET", "HEAD", "POST"],
    interval: { min_seconds: 60, max_seconds: 86_400, default_seconds: 60 },
    monitor_limit: { http: 50, heartbeat: 50 },
    defaults: { timeout_seconds: 10, confirmation_threshold: 3 },
  },
});

export const historyExample: Static<typeof HistoryReply> = success({
  data: {
    from: "2026-03-01T10:00:00.000000Z",
    to: "2026-03-01T11:00:00.000000Z",
    resolution: "hour",
    uptime: 98.333,
    points: [
      {
        at: "2026-03-01T10:00:00.000000Z",
        checks: 60,
        ok: 59,
        unobserved: 0,
        average_ms: 87,
        p50_ms: 81,
        p95_ms: 140,
        statuses: { none: 0, "1xx": 0, "2xx": 59, "3xx": 0, "4xx": 0, "5xx": 1 },
        up_seconds: 3_540,
        down_seconds: 60,
      },
    ],
    states: [{ state: "up", from: time, to: null }],
  },
});
