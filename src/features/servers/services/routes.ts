import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { showCredentials, showServices } from "./actions.ts";
import { credentials, service } from "./examples.ts";
import { ServiceCredentials, ServiceList, ServiceParams } from "./schema.ts";

export const serviceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/servers/:id/services",
    summary: "List the services of a server",
    description:
      "By its type: the web server, PHP and Node, a database, Redis or Meilisearch. Versions are those of its newest " +
      "setup. The state is read from the server during the request, for at most 5 seconds, and is `unknown` if the " +
      "server does not respond.",
    permission: "server:read",
    params: IdParams,
    reply: ServiceList,
    examples: { reply: success({ data: [service] }) },
    handle: async (ctx, { params }) => success({ data: await showServices(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/services/:service/credentials",
    summary: "Read the account that came with a service of a server",
    description:
      "The account of the database that came with the server, of Redis, or of Meilisearch, whose password is its " +
      "master key. Redis and Meilisearch have no user names. `host` is the server's private address if there is one, " +
      "and otherwise its public one; an App server's services listen only on 127.0.0.1. Further databases have `GET " +
      "/servers/:id/databases/:database`. The audit log and the activity record who reads them.",
    permission: "server:update",
    isAudited: true,
    params: ServiceParams,
    reply: ServiceCredentials,
    errors: {
      not_found:
        "The server does not exist, or no setup of it has installed the service yet, or that has no account of its own.",
    },
    examples: { reply: success({ data: credentials }) },
    handle: async (ctx, { params }) => success({ data: await showCredentials(ctx, params.id, params.service) }),
  }),
];
