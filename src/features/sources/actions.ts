import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { type GitHostType, repositoryPath } from "../../host/git/git.ts";
import { pageOf } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import type { HostCredentials, PageAsked } from "../../providers/git/git-host.ts";
import { refuseRestricted } from "../organizations/actions.ts";
import { pathsInReach } from "./confirmation.ts";
import { connectionOf, connectionWith, labelOf } from "./hosts.ts";
import { findProvider, insertProvider, listProjectsOfType, listProviders, markProviderDeleted } from "./queries.ts";
import type { BranchQuery, HostPageQuery, ProviderRequest, ProviderRow } from "./schema.ts";
import { syncGitHosts } from "./source.ts";

const shownPerPage = 30;

export const showProviders = async (ctx: RequestContext) =>
  (await listProviders(ctx.pool, ctx.actor)).map(providerRecord);

export const showProvider = async (ctx: RequestContext, id: number) => providerRecord(await getProvider(ctx, id));

async function getProvider(ctx: RequestContext, id: number): Promise<ProviderRow> {
  const provider = await findProvider(ctx.pool, ctx.actor, id);
  if (!provider) throw notFound("The source provider");
  return provider;
}

const providerRecord = (provider: ProviderRow) => ({
  ...provider,
  label: labelOf(provider.provider_type),
  source: `source_${provider.id}` as const,
});

// An account in the place of a git source type -------------------------------------------------------------------------------

/** The account in reach that `source_<id>` names; undefined if there is none. */
export async function findSourceNamed(ctx: RequestContext, name: string): Promise<ProviderRow | undefined> {
  const id = /^source_([1-9]\d{0,15})$/.exec(name)?.[1];
  return id === undefined ? undefined : findProvider(ctx.pool, ctx.actor, Number(id));
}

// Connecting -----------------------------------------------------------------------------------------------------------------

// Keys and webhooks of every project at that host depend on them, also of projects out of reach.
const accounts = "accounts at git hosts";

/** Connects an account, after its host has accepted the credentials. Projects of that host are registered with it. */
export async function connectProvider(ctx: RequestContext, body: Static<typeof ProviderRequest>) {
  const { name, provider_type: type } = body;
  refuseRestricted(ctx, accounts);
  const { token, username, workspace } = body.credentials;
  const credentials = { token, ...(username && { username }), ...(workspace && { workspace }) };
  const account = await accountOf(ctx, type, credentials);
  const provider = await transaction(ctx.pool, async (tx) => {
    const { organizationId } = ctx.actor;
    const encrypted = ctx.secrets.encrypt(JSON.stringify(credentials));
    const made = await insertProvider(tx, {
      organizationId,
      name,
      providerType: type,
      credentials: encrypted,
      account,
    });
    await followProjectsOf(tx, ctx, type);
    return made;
  });
  return { message: `${labelOf(type)} is connected as ${account}.`, data: providerRecord(provider) };
}

async function accountOf(ctx: RequestContext, type: GitHostType, credentials: HostCredentials): Promise<string> {
  const { api, access } = connectionWith(ctx.config, type, credentials, ctx.signal);
  try {
    return await api.accountOf(access);
  } catch (error) {
    if (error instanceof AppError && error.code === "refused") throw invalid({ "credentials.token": error.message });
    throw error;
  }
}

/** Disconnects an account at once; its registrations are removed at the host, and then its token too. */
export async function disconnectProvider(ctx: RequestContext, id: number) {
  refuseRestricted(ctx, accounts);
  const provider = await transaction(ctx.pool, async (tx) => {
    const deleted = await markProviderDeleted(tx, ctx.actor, id);
    if (!deleted) throw notFound("The source provider");
    await followProjectsOf(tx, ctx, deleted.provider_type);
    return deleted;
  });
  const host = labelOf(provider.provider_type);
  return { message: `${provider.name} was disconnected. Its webhooks and deploy keys are being removed at ${host}.` };
}

async function followProjectsOf(tx: Db, ctx: RequestContext, type: GitHostType): Promise<void> {
  const projects = await listProjectsOfType(tx, ctx.actor.organizationId, type);
  await syncGitHosts(
    tx,
    ctx,
    projects.map((project) => project.id),
  );
}

// Reach of an account ----------------------------------------------------------------------------------------------------------

export async function showRepositories(ctx: RequestContext, id: number, query: Static<typeof HostPageQuery>) {
  const { api, access, type } = await reachableConnection(ctx, id);
  const { items, next } = await api.listRepositories(access, askedOf(query));
  const paths = await pathsInReach(ctx, ctx.pool, { type });
  const data = items
    .filter(({ path }) => paths?.has(path) ?? true)
    .map(({ path, isPrivate, defaultBranch, webUrl }) => ({
      repository: path,
      is_private: isPrivate,
      default_branch: defaultBranch,
      web_url: webUrl,
    }));
  return { data, next_cursor: next };
}

export async function showBranches(ctx: RequestContext, id: number, query: Static<typeof BranchQuery>) {
  const path = repositoryPath(query.repository);
  if (path === undefined) throw invalid({ repository: "The repository must be owner/name." });
  const { api, access, type } = await reachableConnection(ctx, id);
  const paths = await pathsInReach(ctx, ctx.pool, { type });
  if (paths && !paths.has(path)) throw notFound("The repository");
  const [{ items, next }, { defaultBranch }] = await Promise.all([
    api.listBranches(access, path, askedOf(query)),
    api.getRepository(access, path),
  ]);
  const data = items.map(({ name, commitId }) => ({ name, commit_id: commitId, is_default: name === defaultBranch }));
  return { data, next_cursor: next };
}

async function reachableConnection(ctx: RequestContext, id: number) {
  const provider = await getProvider(ctx, id);
  return connectionOf(ctx, ctx.pool, provider.id, ctx.signal);
}

const askedOf = (query: Static<typeof HostPageQuery>): PageAsked => ({
  cursor: query.cursor || undefined,
  perPage: pageOf(query, shownPerPage).perPage,
  text: query.q,
});
