import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { createServer, deleteServer, getServer, showServers, showSetup } from "./actions.ts";
import {
  ServerChanged,
  ServerCreated,
  ServerPage,
  ServerReply,
  ServerRequest,
  SetupQuery,
  SetupReply,
} from "./schema.ts";

export const serverRoutes: Route[] = [
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
      "A custom server is connected to for 24 hours; its setup begins once the connect command was run on it as root.",
    permission: "server:create",
    body: ServerRequest,
    status: 201,
    reply: ServerCreated,
    errors: { plan_limit: "The plan allows no further server." },
    examples: { body: { name: "web-1", server_os: "debian_12", public_ip: "203.0.113.10" } },
    handle: (ctx, { body }) => createServer(ctx, body),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id",
    summary: "Read a server",
    permission: "server:read",
    params: IdParams,
    reply: ServerReply,
    handle: async (ctx, { params }) => success({ data: await getServer(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/servers/:id",
    summary: "Delete a server with its projects",
    description: "The machine of a custom server keeps running; Longshore's key is removed from it.",
    permission: "server:delete",
    params: IdParams,
    reply: ServerChanged,
    handle: async (ctx, { params }) => success(await deleteServer(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/setup-steps",
    summary: "Read how a server's setup went",
    permission: "server:read",
    params: IdParams,
    query: SetupQuery,
    reply: SetupReply,
    handle: async (ctx, { params, query }) =>
      success({ data: await showSetup(ctx, params.id, query.include_steps ?? false) }),
  }),
];
