import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { connectProvider, credentialErrors, showOptions, showProviders } from "./actions.ts";
import { OptionsQuery, OptionsReply, ProviderCreated, ProviderList, ProviderRequest } from "./schema.ts";

export const restricted = "The caller's membership is restricted: a connection serves the whole organization.";

export const providerRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/server-providers",
    summary: "List connections to cloud providers",
    permission: "server:create",
    reply: ProviderList,
    handle: async (ctx) => success({ data: await showProviders(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/server-providers",
    summary: "Connect an account at a cloud provider",
    description:
      "The provider checks the credentials before they are stored. They are stored encrypted and are in no answer. " +
      "cloud_a and cloud_c take `token`, cloud_b `access_key_id` and `secret_access_key`.",
    permission: "organization:manage",
    body: ProviderRequest,
    status: 201,
    reply: ProviderCreated,
    errors: { forbidden: restricted, unavailable: "The provider could not be reached, or asks to wait." },
    examples: {
      body: { name: "Our cloud", provider_type: "cloud_a", credentials: { token: "0123456789abcdef" } },
    },
    check: (ctx, { body }) => credentialErrors(ctx, body),
    handle: async (ctx, { body }) => success(await connectProvider(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-providers/:id/options",
    summary: "List what can be ordered with a connection",
    description:
      "Without `location` the locations; with it the server types sold there with their prices, and the images. What the " +
      "provider answers is kept for an hour, prices of cloud_b for a day.",
    permission: "server:create",
    params: IdParams,
    query: OptionsQuery,
    reply: OptionsReply,
    errors: { refused: "The provider's catalogue cannot be read." },
    handle: async (ctx, { params, query }) => success({ data: await showOptions(ctx, params.id, query) }),
  }),
];
