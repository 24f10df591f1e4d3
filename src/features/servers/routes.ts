import { LogPage } from "../../http/logs.ts";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { checkUpdate, pinServer, showServer, showServers, unpinServer, updateServer } from "./actions.ts";
import { createServer } from "./create.ts";
import type { ServerHooks } from "./hooks.ts";
import { deleteServer } from "./leaving/deletion.ts";
import { transferServer } from "./leaving/transfer.ts";
import { orderRoutes } from "./orders/routes.ts";
import { providerRoutes } from "./providers/routes.ts";
import { requestReboot } from "./reboot.ts";
import {
  DeleteQuery,
  ServerChanged,
  ServerCreated,
  ServerPage,
  ServerPinned,
  ServerReply,
  ServerRequest,
  ServerTransferred,
  ServerUpdate,
  SetupLogQuery,
  SetupQuery,
  SetupReply,
  SetupRunPage,
  TransferRequest,
} from "./schema.ts";
import { serviceRoutes } from "./services/routes.ts";
import { retrySetup, runSetup, showSetup, showSetupLog, showSetupRuns } from "./setup/actions.ts";

const providerAway = "The cloud provider could not be reached, or asks to wait.";

export const serverRoutes = ({ onAdded, beforeTransfer, beforeDeletion }: ServerHooks): Route[] => [
  route({
    method: "GET",
    path: "/api/v1/servers",
    summary: "List servers",
    permission: "server:read",
    query: PageQuery,
    reply: ServerPage,
    handle: (ctx, { query }) => showServers(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers",
    summary: "Add a server",
    description:
      "A custom server is connected to for 24 hours; its setup begins once the connect command was run on it as root. " +
      "Otherwise the server is ordered with the connection `provider_id` and the answer is 202: the order is checked " +
      "with the provider first, and the machine is built in the background. `GET /servers/:id/setup-steps` shows how far it is.",
    permission: "server:create",
    body: ServerRequest,
    status: 201,
    otherStatuses: [202],
    reply: ServerCreated,
    errors: { plan_limit: "The plan allows no further server.", unavailable: providerAway },
    examples: { body: { name: "web-1", server_os: "debian_12", public_ip: "203.0.113.10" } },
    handle: (ctx, { body }) => createServer(ctx, onAdded, body),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id",
    summary: "Read a server",
    permission: "server:read",
    params: IdParams,
    reply: ServerReply,
    handle: async (ctx, { params }) => success({ data: await showServer(ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/servers/:id",
    summary: "Change a server",
    description:
      "Omitted fields keep their values. An empty queue_limit means no limit; lowering it stops nothing. When the provider fails " +
      "to switch `delete_protection` off, the change is saved all the same: repeat the request.",
    permission: "server:update",
    params: IdParams,
    body: ServerUpdate,
    reply: ServerChanged,
    errors: {
      forbidden:
        "An address or the SSH port would change, and the caller is neither Owner nor Admin, or the membership is restricted.",
      unavailable: providerAway,
    },
    examples: { body: { name: "web-1", queue_limit: 2 } },
    check: checkUpdate,
    handle: async (ctx, { params, body }) => success(await updateServer(ctx, params.id, body)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/servers/:id",
    summary: "Delete a server with its projects",
    description:
      "Deployments under way are cancelled. The machine of a custom server keeps running; Longshore's key is removed from it. " +
      "The machine of an ordered server is deleted at the provider with what was ordered with it, for a week until nothing " +
      "is left: its order shows that. While the machine is being built the order is cancelled.",
    permission: "server:delete",
    params: IdParams,
    query: DeleteQuery,
    reply: ServerChanged,
    errors: {
      refused: "The server is protected, or a project is behind this load balancer, or on this server and behind one.",
    },
    handle: async (ctx, { params, query }) =>
      success(await deleteServer(ctx, beforeDeletion, { id: params.id, confirm: query.confirm })),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-steps",
    summary: "Read the steps of a server's setup",
    permission: "server:read",
    params: IdParams,
    query: SetupQuery,
    reply: SetupReply,
    handle: async (ctx, { params, query }) => success({ data: await showSetup(ctx, params.id, query) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-runs",
    summary: "List a server's setups",
    description:
      "The newest first. `setup-steps` and `setup-log` show one of them when its `id` is sent as `run_id`. Earlier ones are " +
      "kept as long as logs are.",
    permission: "server:read",
    params: IdParams,
    query: PageQuery,
    reply: SetupRunPage,
    handle: (ctx, { params, query }) => showSetupRuns(ctx, params.id, query),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-log",
    summary: "Read a part of the log of a server's setup",
    description: "Also while the setup runs. Each event `server.setup_step` announces that a step began or ended.",
    permission: "server:read",
    params: IdParams,
    query: SetupLogQuery,
    reply: LogPage,
    handle: async (ctx, { params, query }) => success(await showSetupLog(ctx, params.id, query)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/setup/retry",
    summary: "Retry a server's setup",
    description:
      "For a setup that gave up or has failed steps, with the settings of today, a server that was not connected in time, or " +
      "one whose order failed: its machine is ordered again.",
    permission: "server:update",
    params: IdParams,
    status: 202,
    reply: ServerChanged,
    errors: {
      refused: "The setup is running or has completed, or the server is rebooting.",
      unavailable: providerAway,
    },
    handle: async (ctx, { params }) => success(await retrySetup(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/setup/run",
    summary: "Run a server's setup again",
    description:
      "Applies the setup of this version of Longshore; whatever is already right is not changed. Until it has ended, " +
      "`server_status` is 1 and no projects are added to the server; existing ones keep serving.",
    permission: "server:update",
    params: IdParams,
    status: 202,
    reply: ServerChanged,
    errors: { refused: "The server was never connected to, its setup is running, or it is rebooting." },
    handle: async (ctx, { params }) => success(await runSetup(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/reboot",
    summary: "Reboot a server",
    permission: "server:update",
    params: IdParams,
    status: 202,
    reply: ServerChanged,
    errors: { refused: "The server was never connected to, or its setup is running." },
    handle: async (ctx, { params }) => success(await requestReboot(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/pin",
    summary: "Pin a server for oneself",
    permission: "server:read",
    params: IdParams,
    reply: ServerPinned,
    handle: async (ctx, { params }) => success(await pinServer(ctx, params.id)),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/servers/:id/pin",
    summary: "Unpin a server",
    permission: "server:read",
    params: IdParams,
    reply: ServerPinned,
    handle: async (ctx, { params }) => success(await unpinServer(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/servers/:id/transfer-organization",
    summary: "Transfer a server to another organization",
    description: "Its projects are transferred with it, with everything that belongs to them; project groups are not.",
    permission: "server:transfer",
    params: IdParams,
    body: TransferRequest,
    reply: ServerTransferred,
    errors: {
      forbidden: "You are no Owner of the other organization.",
      plan_limit: "The other organization's plan allows no further server.",
      refused:
        "A project is being moved from or to the server, a move is not cleared up yet, or a project is behind a load balancer with it.",
    },
    examples: { body: { organization_id: 2 } },
    handle: async (ctx, { params, body }) =>
      success(await transferServer(ctx, beforeTransfer, { id: params.id, organizationId: body.organization_id })),
  }),
  ...serviceRoutes,
  ...providerRoutes,
  ...orderRoutes,
];
