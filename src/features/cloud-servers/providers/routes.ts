import { type Route, route } from "../../../http/route.ts";
import { IdParams, success } from "../../../http/schemas.ts";
import { connectProvider, credentialErrors, showOptions, showProviders } from "./actions.ts";
import { options, provider, providerRequest } from "./examples.ts";
import { OptionsQuery, OptionsReply, ProviderCreated, ProviderList, ProviderRequest } from "./schema.ts";

export const restricted = "The caller's membership is restricted: a connection serves the whole organization.";

export const providerRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/server-providers",
    summary: "List connections to cloud providers",
    description:
      "Without their credentials. All of them: the list has no pages. Servers are ordered with their `id` as " +
      "`provider_id`.",
    permission: "server:create",
    reply: ProviderList,
    examples: { reply: success({ data: [provider] }) },
    handle: async (ctx) => success({ data: await showProviders(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/server-providers",
    summary: "Connect an account at a cloud provider",
    description:
      "The provider checks the credentials before they are stored: ones that it rejects, and ones that lack rights that " +
      "servers need, get 422 on `credentials`, with the names of the rights. They are stored encrypted and are in no answer. cloud_a and cloud_c take `token`, cloud_b `access_key_id` and " +
      "`secret_access_key`. The provider bills that account for what is ordered with it.",
    permission: "organization:manage",
    body: ProviderRequest,
    status: 201,
    reply: ProviderCreated,
    errors: { forbidden: restricted, unavailable: "The provider could not be reached, or asks to wait." },
    examples: {
      body: providerRequest,
      reply: success({ message: "Hetzner Cloud is connected as Hetzner Cloud project.", data: provider }),
    },
    check: (ctx, { body }) => credentialErrors(ctx, body),
    handle: async (ctx, { body }) => success(await connectProvider(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/server-providers/:id/options",
    summary: "List what can be ordered with a connection",
    description:
      "Without `location` the locations; with it the server types sold there with their prices, the images and the " +
      "networks. An unknown location gets 422.\n\n" +
      "* Of cloud_b there are `networks` with their subnets, of the others `private_networks` with what " +
      "`cloud_a_network` and `cloud_c_vpc_uuid` take.\n" +
      "* `omitted_types` names types sold in the location that cannot be offered, with the reason.\n" +
      "* Prices are those of the types: address and volume are in the price of a server.\n" +
      "* `skipped_items` names entries of the provider's lists that could not be read.\n" +
      "* What the provider answered is used for an hour, for the check of an order for five minutes, prices of cloud_b " +
      "for a day.",
    permission: "server:create",
    params: IdParams,
    query: OptionsQuery,
    reply: OptionsReply,
    errors: { refused: "The provider's catalogue cannot be read." },
    examples: { reply: success({ data: options }) },
    handle: async (ctx, { params, query }) => success({ data: await showOptions(ctx, params.id, query) }),
  }),
];
