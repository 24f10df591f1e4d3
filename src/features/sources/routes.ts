import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import {
  connectProvider,
  disconnectProvider,
  showBranches,
  showProvider,
  showProviders,
  showRepositories,
} from "./actions.ts";
import {
  BranchQuery,
  HostBranches,
  HostPageQuery,
  HostRepositories,
  ProviderCreated,
  ProviderDeleted,
  ProviderList,
  ProviderReply,
  ProviderRequest,
  SourceChanged,
  SourceReply,
} from "./schema.ts";
import { registerAgain, rotateSecret, showSource } from "./source.ts";

const hostFailures = {
  refused: "The git host refused it: the message says what it answered.",
  unavailable: "The git host could not be reached, or asks to wait.",
};

const restricted = "The caller's membership is restricted: an account serves all projects of the organization.";

const noRepository = "The project is a catalog app, which has no repository.";

export const sourceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/source-providers",
    summary: "List connected accounts at git hosts",
    permission: "project:create",
    reply: ProviderList,
    handle: async (ctx) => success({ data: await showProviders(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/source-providers",
    summary: "Connect an account at a git host",
    description:
      "The host checks the credentials before they are stored; they are stored encrypted and are in no " +
      "answer. Webhooks and deploy keys of the organization's projects at that host are registered with it from then on.",
    permission: "organization:manage",
    body: ProviderRequest,
    status: 201,
    reply: ProviderCreated,
    errors: { forbidden: restricted, unavailable: hostFailures.unavailable },
    examples: {
      body: { name: "Acme", provider_type: "git_host_a", credentials: { token: "github_pat_11AAAA" } },
    },
    handle: async (ctx, { body }) => success(await connectProvider(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id",
    summary: "Read a connected account",
    permission: "project:create",
    params: IdParams,
    reply: ProviderReply,
    handle: async (ctx, { params }) => success({ data: await showProvider(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/source-providers/:id",
    summary: "Disconnect an account",
    description:
      "Webhooks and deploy keys that were registered with it are removed at the host; then its token is deleted.",
    permission: "organization:manage",
    params: IdParams,
    reply: ProviderDeleted,
    errors: { forbidden: restricted },
    handle: async (ctx, { params }) => success(await disconnectProvider(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id/repositories",
    summary: "List the repositories of a connected account",
    description:
      "In the pages of the host: `next_cursor` of one is the `cursor` of the next. A restricted membership sees only the " +
      "repositories of projects in its reach.",
    permission: "project:create",
    params: IdParams,
    query: HostPageQuery,
    reply: HostRepositories,
    errors: { unavailable: hostFailures.unavailable },
    handle: async (ctx, { params, query }) => success(await showRepositories(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id/branches",
    summary: "List the branches of a repository of a connected account",
    permission: "project:create",
    params: IdParams,
    query: BranchQuery,
    reply: HostBranches,
    errors: { unavailable: hostFailures.unavailable },
    handle: async (ctx, { params, query }) => success(await showBranches(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/source",
    summary: "Read a project's deploy key and webhook",
    description:
      "With a connected account both are registered at the git host by Longshore. Without one, add the public key to the " +
      "repository as a deploy key with read access, and the webhook with its address and secret.",
    permission: "project:update",
    params: IdParams,
    reply: SourceReply,
    errors: { refused: noRepository },
    handle: async (ctx, { params }) => success({ data: await showSource(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/source/secret",
    summary: "Replace the secret of a project's webhook",
    description:
      "Where an account is connected, the host is updated. For a plain git server the address changes as well.",
    permission: "project:update",
    showsSecret: true,
    params: IdParams,
    reply: SourceChanged,
    errors: { refused: noRepository },
    handle: async (ctx, { params }) => success(await rotateSecret(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/source/register",
    summary: "Register a project's deploy key and webhook again",
    description:
      "At once, after a failure or when they were removed at the host. By a member without restriction, it also confirms a " +
      "repository that a restricted one chose.",
    permission: "project:update",
    showsSecret: true,
    params: IdParams,
    status: 202,
    reply: SourceChanged,
    errors: { refused: "No account of the project's git host is connected, or the repository has to be confirmed." },
    handle: async (ctx, { params }) => success(await registerAgain(ctx, params.id)),
  }),
];
