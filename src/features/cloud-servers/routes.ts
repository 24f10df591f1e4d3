import { PageQuery, pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import { ServerChanged } from "../servers/schema.ts";
import { disconnectProvider, showCosts, showOrder, showOrders, showOrphans } from "./actions.ts";
import { costs, newSnapshot, order, orphans, resizeRequest, snapshot, snapshotRequest } from "./examples.ts";
import { providerRoutes, restricted } from "./providers/routes.ts";
import { ProviderDeleteQuery } from "./providers/schema.ts";
import { requestResize } from "./resize.ts";
import {
  CostsReply,
  OrderPage,
  OrderReply,
  OrphanList,
  ResizeRequest,
  SnapshotCreated,
  SnapshotPage,
  SnapshotReply,
  SnapshotRequest,
} from "./schema.ts";
import { deleteSnapshot, requestSnapshot, showSnapshot, showSnapshots } from "./snapshots/actions.ts";

const providerAway = "The cloud provider could not be reached, or asks to wait.";
const noMachine = "The server has no machine that was ordered with Longshore, or is not set up yet.";

export const cloudServerRoutes: Route[] = [
  ...providerRoutes,
  route({
    method: "DELETE",
    path: "/api/v1/server-providers/:id",
    summary: "Delete a connection to a cloud provider",
    description:
      "With its credentials. Nothing is deleted at the provider.\n\n" +
      "* It is refused (422) while servers, removals or snapshots need it. With `keep_servers=true` its servers become " +
      "custom servers: their machines keep running and are billed by the provider, like what was not removed yet and " +
      "the images of snapshots, whose records are deleted.\n" +
      "* It is refused in any case while a server is being ordered.",
    permission: "organization:manage",
    params: IdParams,
    query: ProviderDeleteQuery,
    reply: Acknowledgement,
    errors: {
      forbidden: restricted,
      refused: "Servers were ordered with it, and keep_servers was not sent; or one is being ordered.",
    },
    examples: {
      reply: success({
        message: "Our cloud was disconnected. Its server is a custom server now, and is billed as before.",
      }),
    },
    handle: async (ctx, { params, query }) => success(await disconnectProvider(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-providers/:id/orphans",
    summary: "List resources in a provider's account that belong to no server",
    description:
      "Resources that this installation ordered are tagged with its name. Every hour the account is compared with the " +
      "orders; resources that belong to none, and second ones of a kind that an order has once, are listed with their " +
      "price, and a new one is announced as `server.orphan_found`. An address without a server has no tag at cloud_a " +
      "and cloud_c: it is listed if an order had it, or may have made it. `checked_at` is the time of the last " +
      "comparison, `error` why it failed or what it could not read. Longshore never deletes them: check them first, " +
      "and delete them at the provider.",
    permission: "server:create",
    params: IdParams,
    reply: OrphanList,
    examples: { reply: success(orphans) },
    handle: async (ctx, { params }) => success(await showOrphans(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-orders",
    summary: "List orders of servers",
    description:
      "What was ordered, and the result, the newest first, 25 on a page. Orders of deleted servers are among them; a " +
      "restricted membership does not see those.",
    permission: "server:read",
    query: PageQuery,
    reply: OrderPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [order]) },
    handle: (ctx, { query }) => showOrders(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-orders/:id",
    summary: "Read an order of a server",
    description:
      "`state` is `ordering` while the machine is being built, and `active` once it exists. An order that fails before " +
      "the setup begins deletes everything that it ordered (`refunding`, then `failed`), with the reason in `error`; " +
      "`POST /servers/:id/setup/retry` orders the machine again. A setup that fails deletes nothing. After the " +
      "deletion of its server the order is `removing` and then `removed`; `remaining` shows what is still at the " +
      "provider and why, and after a week it is `left`.",
    permission: "server:read",
    params: IdParams,
    reply: OrderReply,
    examples: { reply: success({ data: order }) },
    handle: async (ctx, { params }) => success({ data: await showOrder(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-costs",
    summary: "Sum up the monthly costs of ordered servers",
    description:
      "Of the servers in reach, at the prices of their orders, by currency: with address and volume, without traffic " +
      "and backups. Servers whose price is unknown are in `servers`, with the reason in `price_problem`, and not in the " +
      "totals.",
    permission: "server:read",
    reply: CostsReply,
    examples: { reply: success({ data: costs }) },
    handle: async (ctx) => success({ data: await showCosts(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/resize",
    summary: "Change the type of an ordered server",
    description:
      "In the background: the machine is shut down, changed and started, and its projects are not served for that " +
      "time. `connection_error` shows the progress and a failure, after which the machine gets its former type back " +
      "and is started; the order shows the type that it has. Its disk keeps its size, so the type needs a disk that is " +
      "not smaller than that, and the same architecture (422). The " +
      "permission is that of an order, since it changes the price. It is refused while work is under way on the server.",
    permission: "server:create",
    params: IdParams,
    body: ResizeRequest,
    status: 202,
    reply: ServerChanged,
    errors: { refused: noMachine, conflict: "It is being resized already.", unavailable: providerAway },
    examples: {
      body: resizeRequest,
      reply: success({ message: "web-2 is shut down and becomes cx33.", server_id: 2 }),
    },
    handle: async (ctx, { params, body }) => success(await requestResize(ctx, params.id, body)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/snapshots",
    summary: "Make a snapshot of an ordered server",
    description:
      "An image of the machine with everything on it, also its databases and secrets. The machine keeps running: the " +
      "image is as after a power cut. It is made in the background, and its `state` turns from `creating` to `ready` or `failed`. A server ordered with its id as `snapshot_id` has " +
      "the packages already, so that its setup takes seconds. The permission is that of an order, since the provider " +
      "bills the image until it is deleted; the deletion of the server keeps it.",
    permission: "server:create",
    params: IdParams,
    body: SnapshotRequest,
    status: 202,
    reply: SnapshotCreated,
    errors: { refused: noMachine },
    examples: {
      body: snapshotRequest,
      reply: success({ message: "The snapshot golden of web-2 is being made.", data: newSnapshot }),
    },
    handle: async (ctx, { params, body }) => success(await requestSnapshot(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-snapshots",
    summary: "List snapshots of servers",
    description:
      "The newest first, 25 on a page, also those whose server was deleted; of those, a restricted membership sees " +
      "none.",
    permission: "server:read",
    query: PageQuery,
    reply: SnapshotPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [snapshot]) },
    handle: (ctx, { query }) => showSnapshots(ctx, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-snapshots/:id",
    summary: "Read a snapshot of a server",
    description:
      "Servers can be ordered from it when its `state` is `ready`. `error` has the reason of `failed` and `left`. A " +
      "snapshot that was deleted at the provider gets 404.",
    permission: "server:read",
    params: IdParams,
    reply: SnapshotReply,
    examples: { reply: success({ data: snapshot }) },
    handle: async (ctx, { params }) => success({ data: await showSnapshot(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/server-snapshots/:id",
    summary: "Delete a snapshot of a server",
    description:
      "In the background: the image is deleted at the provider, and then the record. When the provider does not delete " +
      "it, `state` becomes `left`, with the reason in `error`; send the request again. Servers that were ordered from " +
      "it stay.",
    permission: "server:delete",
    params: IdParams,
    status: 202,
    reply: Acknowledgement,
    errors: { refused: "It is being made or deleted." },
    examples: { reply: success({ message: "The snapshot golden is being deleted at the provider." }) },
    handle: async (ctx, { params }) => success(await deleteSnapshot(ctx, params.id)),
  }),
];
