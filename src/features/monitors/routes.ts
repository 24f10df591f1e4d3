import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  createMonitor,
  deleteMonitor,
  showMonitor,
  showMonitorEvents,
  showMonitors,
  showOptions,
  updateMonitor,
} from "./actions.ts";
import {
  historyExample,
  monitorCreatedExample,
  monitorExample,
  monitorPageExample,
  monitorRequestExample,
  optionsExample,
} from "./examples.ts";
import { checkHistory, showHistory } from "./history/history.ts";
import {
  HistoryQuery,
  HistoryReply,
  MonitorChanged,
  MonitorCreated,
  MonitorEventQuery,
  MonitorEventSlice,
  MonitorListQuery,
  MonitorPage,
  MonitorReply,
  MonitorRequest,
  MonitorUpdate,
  OptionsReply,
} from "./schema.ts";
import { monitorChangeErrors, newMonitorErrors } from "./validation.ts";

const tooMany = { plan_limit: "The plan covers no further active monitor of this type; the sentence has the number." };

export const monitorRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/monitors",
    summary: "List monitors, those that are down first",
    description:
      "Of what is in your reach, 25 on a page; `type`, `status`, `project_id`, `server_id` and `q` narrow them down. " +
      "`recent` has the last 60 checks of an HTTP monitor one by one, without those that were skipped. `current_status` is `pending` " +
      "until the first verdict, and while a monitor is off. The uptimes are null until a tenth of their time was " +
      "observed. `ping_url` of a heartbeat has its token only for those with `monitor:manage`, since anyone who has " +
      "it can report. `notification_channels` are shown without their secrets, and may be sent back as shown.",
    permission: "monitor:read",
    query: MonitorListQuery,
    reply: MonitorPage,
    examples: { reply: monitorPageExample },
    handle: (ctx, { query }) => showMonitors(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/monitors",
    summary: "Watch a project, a domain or a job",
    description:
      "An HTTP monitor requests an address of a project or domain at an interval, and the first time at once; " +
      "redirects are not followed. A heartbeat expects a scheduled or background job to report in time: its server " +
      "is configured to report, and the job is `pending` until that is done. A target out of reach answers 404. The " +
      "first verdict writes an event, and sends no notification.\n\n" +
      "* `config.url` is required for `http`. It has no user name or password, and no private or reserved address, " +
      "except the `public_ip` of a server in your reach at which Longshore last signed in to it (422).\n" +
      "* `config.interval_seconds` is 60, or the minimum of the plan if that is longer (`GET /monitors/options`); " +
      "`expected_status` null means any 2xx; `confirmation_threshold` is 3. The times of a heartbeat are derived " +
      "from its job where they are omitted. Fields of the other type are ignored with a warning.\n" +
      "* A job has at most one heartbeat (422 on `monitorable_id`). `data.ping_url` is its address, which is a " +
      "secret.\n" +
      "* `notification_channels` are notified besides the organization's. `data.webhook_secrets` has the secrets of " +
      "webhooks, once.",
    permission: "monitor:manage",
    showsSecret: true,
    body: MonitorRequest,
    status: 201,
    reply: MonitorCreated,
    errors: { ...tooMany, not_found: "The target to watch is out of reach." },
    examples: { body: monitorRequestExample, reply: monitorCreatedExample },
    check: newMonitorErrors,
    handle: async (ctx, { body }) => success(await createMonitor(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/options",
    summary: "Read what monitors can watch, and the limits of the plan",
    description:
      "`interval` and `monitor_limit` are those of the organization's plan: a limit counts active monitors of a " +
      "type, and null means none. `targets` are the values of `monitorable_type` that a type takes.",
    permission: "monitor:read",
    reply: OptionsReply,
    examples: { reply: optionsExample },
    handle: async (ctx) => success({ data: await showOptions(ctx) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/:id",
    summary: "Read a monitor with its target and its 50 newest events",
    description:
      "* `config` of a heartbeat has the period and the grace in force, whether they were set or derived from the " +
      "job; null: no report is expected, since the job runs only at boot.\n" +
      "* `last_ping` of a heartbeat is its newest report; after a start it keeps the result of the run before.\n" +
      "* `events` are the changes of the status, the newest first. An outage is a `down` without `resolved_at`. " +
      "`context` has the details: the phases of the check, the deployment before it, and `second_opinion` for those " +
      "who have that server in their reach.\n" +
      "* `ping_url` has its token only for those with `monitor:manage`.",
    permission: "monitor:read",
    params: IdParams,
    reply: MonitorReply,
    examples: { reply: monitorExample },
    handle: async (ctx, { params }) => success({ data: await showMonitor(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/monitors/:id",
    record: "/api/v1/monitors/:id",
    summary: "Change a monitor, or turn it on or off",
    description:
      "Omitted fields keep their values, also inside `config`; `notification_channels` are replaced as a list, and " +
      "may be sent as they are shown. `type`, `monitorable_type` and `monitorable_id` are rejected.\n\n" +
      "* Turned off, a monitor is `pending`, and its open outage is resolved; turned on, it is `pending` until its " +
      "first verdict, and counts against the plan's limit.\n" +
      "* Other settings of the check begin the confirmation again, and the next check follows at once.\n" +
      "* `expected_status: null` means any 2xx. Derived times of a heartbeat that are sent back as shown stay " +
      "derived; null makes them so again. An interval below the plan's minimum is accepted if the monitor has it " +
      "already.",
    permission: "monitor:manage",
    showsSecret: true,
    params: IdParams,
    body: MonitorUpdate,
    reply: MonitorChanged,
    errors: tooMany,
    examples: {
      body: { config: { interval_seconds: 300 }, is_active: true },
      reply: success({ message: "The monitor Shop was updated.", data: { id: 4, is_active: true } }),
    },
    check: monitorChangeErrors,
    handle: async (ctx, { params, body }) => success(await updateMonitor(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/monitors/:id",
    summary: "Delete a monitor with its events and history",
    description:
      "To pause it, turn it off instead (`is_active`). The job of a heartbeat stops reporting when its server has " +
      "the change. A monitor is also deleted with the domain, job or project that it watches.",
    permission: "monitor:manage",
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The monitor Shop was deleted with its events." }) },
    handle: async (ctx, { params }) => success(await deleteMonitor(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/:id/events",
    summary: "List the events of a monitor",
    description:
      "All changes of the status that are kept, the newest first, 50 on a page: send `next_before` as `before` for the " +
      "next one. They are as in the monitor itself, which has the newest, and are kept for " +
      "`LONGSHORE_MONITOR_RETENTION_DAYS`.",
    permission: "monitor:read",
    params: IdParams,
    query: MonitorEventQuery,
    reply: MonitorEventSlice,
    examples: { reply: { data: monitorExample.data.events, next_before: null } },
    handle: (ctx, { params, query }) => showMonitorEvents(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/monitors/:id/history",
    summary: "Read results, response times and states of a monitor",
    description:
      "By hour or by day in UTC: 31 days by hour at most, 400 by day. Without `resolution`, by hour up to three " +
      "days. `from` is a day before `to`, and `to` now, when omitted. Hours without a check or a known state are " +
      "left out of `points`; time that was not observed counts neither as up nor as down. `p50_ms` and `p95_ms` are " +
      "interpolated from a histogram. `states` are the last 1,000 intervals. All is kept for " +
      "`LONGSHORE_MONITOR_RETENTION_DAYS`.",
    permission: "monitor:read",
    params: IdParams,
    query: HistoryQuery,
    reply: HistoryReply,
    examples: { reply: historyExample },
    check: checkHistory,
    handle: async (ctx, { params, query }) => success({ data: await showHistory(ctx, params.id, query) }),
  }),
];
