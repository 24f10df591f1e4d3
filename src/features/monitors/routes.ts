import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { createMonitor, deleteMonitor, showMonitor, showMonitors, showOptions, updateMonitor } from "./actions.ts";
import { checkHistory, showHistory } from "./history/history.ts";
import {
  HistoryQuery,
  HistoryReply,
  MonitorChanged,
  MonitorCreated,
  MonitorDeleted,
  MonitorListQuery,
  MonitorPage,
  MonitorReply,
  MonitorRequest,
  MonitorUpdate,
  OptionsReply,
} from "./schema.ts";
import { monitorChangeErrors, newMonitorErrors } from "./validation.ts";

const tooMany = { plan_limit: "The plan covers no further active monitor of this type; the sentence has the number." };

const example = {
  type: "http",
  name: "Shop",
  monitorable_type: "App\\Models\\Project",
  monitorable_id: 7,
  config: { url: "https://shop.example.com/health", interval_seconds: 60, confirmation_threshold: 3 },
  notification_channels: [{ type: "email", target: "ops@example.com", on: ["down", "up"] }],
};

export const monitorRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/monitors",
    summary: "List monitors, those that are down first",
    permission: "monitor:read",
    query: MonitorListQuery,
    reply: MonitorPage,
    handle: (ctx, { query }) => showMonitors(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/monitors",
    summary: "Watch a project, a domain or a job",
    description:
      "An HTTP monitor requests an address at an interval; redirects are not followed. A heartbeat expects its job to " +
      "report in time. A target out of reach answers 404.",
    permission: "monitor:manage",
    showsSecret: true,
    body: MonitorRequest,
    status: 201,
    reply: MonitorCreated,
    errors: { ...tooMany, not_found: "The target to watch is out of reach." },
    examples: { body: example },
    check: newMonitorErrors,
    handle: async (ctx, { body }) => success(await createMonitor(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/options",
    summary: "Read what monitors can watch, and the limits of the plan",
    permission: "monitor:read",
    reply: OptionsReply,
    handle: async (ctx) => success({ data: await showOptions(ctx) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/:id",
    summary: "Read a monitor with its target and its 50 newest events",
    permission: "monitor:read",
    params: IdParams,
    reply: MonitorReply,
    handle: async (ctx, { params }) => success({ data: await showMonitor(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/monitors/:id",
    summary: "Change a monitor, or turn it on or off",
    description:
      "Omitted fields keep their values, also inside `config`; `notification_channels` are replaced as a list. `type`, " +
      "`monitorable_type` and `monitorable_id` are rejected. Turned on, a monitor is pending until its first verdict.",
    permission: "monitor:manage",
    showsSecret: true,
    params: IdParams,
    body: MonitorUpdate,
    reply: MonitorChanged,
    errors: tooMany,
    examples: { body: { config: { interval_seconds: 300 }, is_active: true } },
    check: monitorChangeErrors,
    handle: async (ctx, { params, body }) => success(await updateMonitor(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/monitors/:id",
    summary: "Delete a monitor with its events and history",
    permission: "monitor:manage",
    params: IdParams,
    reply: MonitorDeleted,
    handle: async (ctx, { params }) => success(await deleteMonitor(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/:id/history",
    summary: "Read results, response times and states of a monitor",
    description:
      "By hour or by day in UTC: 31 days by hour at most, 400 by day. Without `resolution`, by hour up to three days. " +
      "`p50_ms` and `p95_ms` are interpolated from a histogram.",
    permission: "monitor:read",
    params: IdParams,
    query: HistoryQuery,
    reply: HistoryReply,
    check: checkHistory,
    handle: async (ctx, { params, query }) => success({ data: await showHistory(ctx, params.id, query) }),
  }),
];
