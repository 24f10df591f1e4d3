import { PageQuery } from "../../../http/pagination.ts";
import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { restricted } from "../providers/routes.ts";
import { ProviderDeleted, ProviderDeleteQuery } from "../providers/schema.ts";
import { deleteSnapshot, requestSnapshot, showSnapshot, showSnapshots } from "../snapshots/actions.ts";
import { disconnectProvider, showCosts, showOrder, showOrders, showOrphans } from "./actions.ts";
import { requestResize } from "./resize.ts";
import {
  CostsReply,
  OrderPage,
  OrderReply,
  OrphanList,
  ResizeRequest,
  ServerResizing,
  SnapshotCreated,
  SnapshotDeleted,
  SnapshotPage,
  SnapshotReply,
  SnapshotRequest,
} from "./schema.ts";

const providerAway = "The cloud provider could not be reached, or asks to wait.";
const noMachine = "The server has no machine that was ordered with Longshore, or is not set up yet.";

export const orderRoutes: Route[] = [
  route({
    method: "DELETE",
    path: "/api/v1/server-providers/:id",
    summary: "Delete a connection to a cloud provider",
    description: "With its credentials. Nothing is deleted at the provider.",
    permission: "organization:manage",
    params: IdParams,
    query: ProviderDeleteQuery,
    reply: ProviderDeleted,
    errors: {
      forbidden: restricted,
      refused: "Servers were ordered with it, and keep_servers was not sent; or one is being ordered.",
    },
    handle: async (ctx, { params, query }) => success(await disconnectProvider(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-providers/:id/orphans",
    summary: "List resources in a provider's account that belong to no server",
    description:
      "Resources that this installation ordered are tagged with its name. Every hour they are compared with the orders; those that " +
      "belong to none are listed with their price and reported on notification channels. Nothing is deleted.",
    permission: "server:create",
    params: IdParams,
    reply: OrphanList,
    handle: async (ctx, { params }) => success(await showOrphans(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-orders",
    summary: "List orders of servers",
    description: "The newest first, also of servers that were deleted: what was ordered, and the result.",
    permission: "server:read",
    query: PageQuery,
    reply: OrderPage,
    handle: (ctx, { query }) => showOrders(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-orders/:id",
    summary: "Read an order of a server",
    permission: "server:read",
    params: IdParams,
    reply: OrderReply,
    handle: async (ctx, { params }) => success({ data: await showOrder(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-costs",
    summary: "Sum up the monthly costs of ordered servers",
    description: "Of the servers in reach, at the prices of their orders, by currency.",
    permission: "server:read",
    reply: CostsReply,
    handle: async (ctx) => success({ data: await showCosts(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/resize",
    summary: "Change the type of an ordered server",
    description:
      "The machine is shut down, changed and started. Its disk keeps its size. A failure starts it as it was.",
    permission: "server:create",
    params: IdParams,
    body: ResizeRequest,
    status: 202,
    reply: ServerResizing,
    errors: { refused: noMachine, conflict: "It is being resized already.", unavailable: providerAway },
    examples: { body: { server_type: "cx33" } },
    handle: async (ctx, { params, body }) => success(await requestResize(ctx, params.id, body)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/snapshots",
    summary: "Make a snapshot of an ordered server",
    description:
      "An image of the machine with everything on it, also its databases and secrets. A server ordered with its id as " +
      "`snapshot_id` has the packages already, so that its setup takes seconds.",
    permission: "server:create",
    params: IdParams,
    body: SnapshotRequest,
    status: 202,
    reply: SnapshotCreated,
    errors: { refused: noMachine },
    examples: { body: { name: "golden" } },
    handle: async (ctx, { params, body }) => success(await requestSnapshot(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-snapshots",
    summary: "List snapshots of servers",
    permission: "server:read",
    query: PageQuery,
    reply: SnapshotPage,
    handle: (ctx, { query }) => showSnapshots(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-snapshots/:id",
    summary: "Read a snapshot of a server",
    permission: "server:read",
    params: IdParams,
    reply: SnapshotReply,
    handle: async (ctx, { params }) => success({ data: await showSnapshot(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/server-snapshots/:id",
    summary: "Delete a snapshot of a server",
    permission: "server:delete",
    params: IdParams,
    status: 202,
    reply: SnapshotDeleted,
    errors: { refused: "It is being made or deleted." },
    handle: async (ctx, { params }) => success(await deleteSnapshot(ctx, params.id)),
  }),
];
