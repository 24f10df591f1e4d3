import { PageQuery } from "../../../http/pagination.ts";
import { type Route, route } from "../../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../../http/schemas.ts";
import { changeWindow, checkWindow, createWindow, deleteWindow, showWindow, showWindows } from "./actions.ts";
import { windowExample, windowPageExample, windowRequestExample } from "./examples.ts";
import { WindowChanged, WindowPage, WindowReply, WindowRequest, WindowUpdate } from "./schema.ts";

const path = "/api/v1/maintenance-windows";
const tag = "maintenance-windows";

export const maintenanceWindowRoutes: Route[] = [
  route({
    method: "GET",
    path,
    summary: "List maintenance windows, past ones last",
    description:
      "By the start of the current or next time, 25 on a page. A restricted membership sees those that name nothing " +
      "out of its reach, and none for all monitors.",
    tag,
    permission: "monitor:read",
    query: PageQuery,
    reply: WindowPage,
    examples: { reply: windowPageExample },
    handle: (ctx, { query }) => showWindows(ctx, query),
  }),
  route({
    method: "POST",
    path,
    summary: "Plan a period in which monitors do not count failures",
    description:
      "Once, with `starts_at` and `ends_at`, or recurring, with `cron_expression` and `duration_seconds` in a " +
      "`timezone` (UTC). It applies to `monitor_ids`, to all monitors of what is on `server_ids`, or to " +
      "`all_monitors`; one of them is required. While it is active, the monitors are unobserved: the time counts " +
      "neither as up nor as down, and nothing is notified.\n\n" +
      "A restricted membership makes windows for monitors and servers in its reach; `all_monitors` gets 403.",
    tag,
    permission: "monitor:manage",
    body: WindowRequest,
    status: 201,
    reply: WindowChanged,
    errors: { not_found: "A monitor or server is out of reach." },
    examples: {
      body: windowRequestExample,
      reply: success({ message: "The maintenance window Database upgrade was created.", data: windowExample }),
    },
    check: (ctx, { body }) => checkWindow(ctx, { params: undefined, body }),
    handle: async (ctx, { body }) => success(await createWindow(ctx, body)),
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    summary: "Read a maintenance window",
    description:
      "`next_starts_at` and `next_ends_at` are the current or the next time, and null for a window that is over.",
    tag,
    permission: "monitor:read",
    params: IdParams,
    reply: WindowReply,
    examples: { reply: success({ data: windowExample }) },
    handle: async (ctx, { params }) => success({ data: await showWindow(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: `${path}/:id`,
    record: `${path}/:id`,
    summary: "Change a maintenance window",
    description:
      "Omitted fields keep their values; `monitor_ids` and `server_ids` are replaced as lists, and take the place " +
      "of `all_monitors`. `cron_expression` makes a window recurring, `starts_at` or `ends_at` make it one that is " +
      "once; both at a time get 422. A change applies at once, also to a window that is active.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    body: WindowUpdate,
    reply: WindowChanged,
    examples: {
      body: { ends_at: "2026-12-25T00:00:00Z" },
      reply: success({ message: "The maintenance window was updated.", data: windowExample }),
    },
    check: checkWindow,
    handle: async (ctx, { params, body }) => success(await changeWindow(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a maintenance window",
    description: "One that is active ends: its monitors are observed again. Time that was not observed stays so.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The maintenance window Database upgrade was deleted." }) },
    handle: async (ctx, { params }) => success(await deleteWindow(ctx, params.id)),
  }),
];
