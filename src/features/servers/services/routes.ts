import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { showCredentials, showServices } from "./actions.ts";
import { ServiceCredentials, ServiceList, ServiceParams } from "./schema.ts";

export const serviceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/servers/:id/services",
    summary: "List the services of a server",
    description:
      "By its type: the web server, PHP and Node, a database, Redis or Meilisearch. The state is asked of the server, for at most " +
      "some seconds.",
    permission: "server:read",
    params: IdParams,
    reply: ServiceList,
    handle: async (ctx, { params }) => success({ data: await showServices(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/services/:service/credentials",
    summary: "Read the account that came with a service of a server",
    description:
      "Of the database that the setup made, of Redis or of Meilisearch, whose password is its master key. Redis and Meilisearch " +
      "have no user names. Further databases have `GET /servers/:id/databases/:database`.",
    permission: "server:update",
    params: ServiceParams,
    reply: ServiceCredentials,
    errors: {
      not_found: "The server does not exist, or does not carry the service, or that has no account of its own.",
    },
    handle: async (ctx, { params }) => success({ data: await showCredentials(ctx, params.id, params.service) }),
  }),
];
