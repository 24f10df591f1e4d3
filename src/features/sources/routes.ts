import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  connectProvider,
  disconnectProvider,
  showBranches,
  showProvider,
  showProviders,
  showRepositories,
} from "./actions.ts";
import { branches, provider, providerRequest, repositories, source } from "./examples.ts";
import {
  BranchQuery,
  HostBranches,
  HostPageQuery,
  HostRepositories,
  ProviderCreated,
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
    description:
      "The organization's accounts at GitHub, GitLab and Bitbucket, without their credentials. All of them: the list " +
      "has no pages. `source` is what `git_repository.type` of a project takes to use the account.",
    permission: "project:create",
    reply: ProviderList,
    examples: { reply: success({ data: [provider] }) },
    handle: async (ctx) => success({ data: await showProviders(ctx) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/source-providers",
    summary: "Connect an account at a git host",
    description:
      "The host checks the credentials before they are stored: ones that it rejects get 422 on `credentials.token`, " +
      "and a host that does not answer gets 503. They are stored encrypted and are in no answer.\n\n" +
      "* `provider_type` is `git_host_a` (GitHub), `git_host_b` (GitLab) or `git_host_c` (Bitbucket, with `username` " +
      "or `workspace`).\n" +
      "* Webhooks and deploy keys of the organization's projects at that host are registered with it from then on, in " +
      "the background: `GET /projects/:id/source` shows the result. The webhooks need `LONGSHORE_PUBLIC_URL`.\n" +
      "* With several accounts at one host, the first one is used. A project uses another one when its " +
      "`git_repository.type` is the account's `source`, such as `source_7`; its record then shows the type of the host.",
    permission: "organization:manage",
    body: ProviderRequest,
    status: 201,
    reply: ProviderCreated,
    errors: { forbidden: restricted, unavailable: hostFailures.unavailable },
    examples: { body: providerRequest, reply: success({ message: "GitHub is connected as acme.", data: provider }) },
    handle: async (ctx, { body }) => success(await connectProvider(ctx, body)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id",
    summary: "Read a connected account",
    description: "Without its credentials. An account whose disconnection was requested gets 404.",
    permission: "project:create",
    params: IdParams,
    reply: ProviderReply,
    examples: { reply: success({ data: provider }) },
    handle: async (ctx, { params }) => success({ data: await showProvider(ctx, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/source-providers/:id",
    summary: "Disconnect an account",
    description:
      "From then on it is not used. Webhooks and deploy keys that were registered with it are removed at the host in " +
      "the background, for more than a week while that fails; then its token is deleted. Projects keep their " +
      "repositories: those at the same host are registered with another connected account, if there is one.",
    permission: "organization:manage",
    params: IdParams,
    reply: Acknowledgement,
    errors: { forbidden: restricted },
    examples: {
      reply: success({ message: "Acme was disconnected. Its webhooks and deploy keys are being removed at GitHub." }),
    },
    handle: async (ctx, { params }) => success(await disconnectProvider(ctx, params.id)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id/repositories",
    summary: "List the repositories of a connected account",
    description:
      "Read from the host during the request, in its pages: `next_cursor` of one is the `cursor` of the next, " +
      "`per_page` is 30 by default, and there are no counts, which not every host has. A restricted membership sees " +
      "only the repositories of projects in its reach, so a page may have fewer entries, or none, and still a " +
      "`next_cursor`. So it is with `q` at hosts that cannot search: a request looks through at most 1,000 repositories. " +
      "GitLab also looks for `q` in display names.",
    permission: "project:create",
    params: IdParams,
    query: HostPageQuery,
    reply: HostRepositories,
    errors: { unavailable: hostFailures.unavailable },
    examples: { reply: success(repositories) },
    handle: async (ctx, { params, query }) => success(await showRepositories(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/source-providers/:id/branches",
    summary: "List the branches of a repository of a connected account",
    description:
      "Read from the host during the request, in its pages like the list of repositories, and searched like it with `q`; " +
      "each with its newest commit, and `is_default` for the one that the repository is shown with. " +
      "A restricted membership gets 404 for a repository that no project in its reach has.",
    permission: "project:create",
    params: IdParams,
    query: BranchQuery,
    reply: HostBranches,
    errors: { unavailable: hostFailures.unavailable },
    examples: { reply: success(branches) },
    handle: async (ctx, { params, query }) => success(await showBranches(ctx, params.id, query)),
  }),
  route({
    method: "GET",
    path: "/api/v1/projects/:id/source",
    summary: "Read a project's deploy key and webhook",
    description:
      "With a connected account, Longshore registers both at the git host; `is_registered` and `error` of each show " +
      "the result, and `sync` whether the host has both and the time of the next attempt. Without one, add the public " +
      "key to the repository as a deploy key with read access, and the webhook with its address and secret.\n\n" +
      "The public key is null until the project was prepared on its server, which makes it. Address and secret of the " +
      "webhook change with the type of the repository and with the organization. It needs the permission to change the " +
      "project, since it shows the secret.",
    permission: "project:update",
    params: IdParams,
    reply: SourceReply,
    errors: { refused: noRepository },
    examples: { reply: success({ data: source }) },
    handle: async (ctx, { params }) => success({ data: await showSource(ctx, params.id) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/source/secret",
    summary: "Replace the secret of a project's webhook",
    description:
      "The new secret takes effect at once. Where an account is connected, the host is updated in the background; " +
      "deliveries that are signed with the former secret get 403 until then. Without an account, enter it at the host. " +
      "For the type `git` the address changes as well, since it may be its only proof.",
    permission: "project:update",
    showsSecret: true,
    params: IdParams,
    reply: SourceChanged,
    errors: { refused: noRepository },
    examples: {
      reply: success({ message: "The webhook has a new secret. The former one counts no more.", data: source }),
    },
    handle: async (ctx, { params }) => success(await rotateSecret(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: "/api/v1/projects/:id/source/register",
    summary: "Register a project's deploy key and webhook again",
    description:
      "At once, after a failure or when they were removed at the host; what the host has already is registered again. " +
      "`sync` of the answer shows the progress. By a member without restriction, it also confirms a repository that a " +
      "restricted one chose (`needs_confirmation`).",
    permission: "project:update",
    showsSecret: true,
    params: IdParams,
    status: 202,
    reply: SourceChanged,
    errors: { refused: "No account of the project's git host is connected, or the repository has to be confirmed." },
    examples: { reply: success({ message: "Deploy key and webhook are being registered.", data: source }) },
    handle: async (ctx, { params }) => success(await registerAgain(ctx, params.id)),
  }),
];
