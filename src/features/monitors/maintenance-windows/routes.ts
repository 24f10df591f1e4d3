import { PageQuery } from "../../../http/pagination.ts";
import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { changeWindow, checkWindow, createWindow, deleteWindow, showWindow, showWindows } from "./actions.ts";
import { WindowChanged, WindowDeleted, WindowPage, WindowReply, WindowRequest, WindowUpdate } from "./schema.ts";

const path = "/api/v1/maintenance-windows";
const tag = "maintenance-windows";

const example = {
  name: "Database upgrade",
  starts_at: "2026-12-24T22:00:00Z",
  ends_at: "2026-12-25T00:00:00Z",
  all_monitors: true,
};

export const maintenanceWindowRoutes: Route[] = [
  route({
    method: "GET",
    path,
    summary: "List maintenance windows, past ones last",
    tag,
    permission: "monitor:read",
    query: PageQuery,
    reply: WindowPage,
    handle: (ctx, { query }) => showWindows(ctx, query),
  }),
  route({
    method: "POST",
    path,
    summary: "Plan a period in which monitors do not count failures",
    description:
      "Once, with `starts_at` and `ends_at`, or recurring, with `cron_expression` and `duration_seconds` in a `timezone`. It applies " +
      "to `monitor_ids`, to all monitors of what is on `server_ids`, or to `all_monitors`.",
    tag,
    permission: "monitor:manage",
    body: WindowRequest,
    status: 201,
    reply: WindowChanged,
    errors: { not_found: "A monitor or server is out of reach." },
    examples: { body: example },
    check: (ctx, { body }) => checkWindow(ctx, { params: undefined, body }),
    handle: async (ctx, { body }) => success(await createWindow(ctx, body)),
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    summary: "Read a maintenance window",
    tag,
    permission: "monitor:read",
    params: IdParams,
    reply: WindowReply,
    handle: async (ctx, { params }) => success({ data: await showWindow(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: `${path}/:id`,
    summary: "Change a maintenance window",
    description: "Omitted fields keep their values.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    body: WindowUpdate,
    reply: WindowChanged,
    examples: { body: { name: "Longer upgrade", ends_at: "2026-12-25T02:00:00Z" } },
    check: checkWindow,
    handle: async (ctx, { params, body }) => success(await changeWindow(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a maintenance window",
    description: "One that is active ends.",
    tag,
    permission: "monitor:manage",
    params: IdParams,
    reply: WindowDeleted,
    handle: async (ctx, { params }) => success(await deleteWindow(ctx, params.id)),
  }),
];
