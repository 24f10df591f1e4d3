import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { installationUrl } from "../../config.ts";
import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Kind } from "../../engine/kind.ts";
import { listSyncs, touchAll } from "../../engine/reconcile/reconcile.ts";
import { inSync } from "../../engine/reconcile/target.ts";
import { type GitSource, parseRepository, privateUrlOf } from "../../host/git/git.ts";
import { hostAddresses } from "../../host/git/submodules.ts";
import type { RequestContext } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { isAny, type WithHooks } from "../../lib/hooks.ts";
import { newSigningSecret } from "../../lib/signing.ts";
import { digestOf } from "../accounts/tokens.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { sourceCapabilities } from "./capabilities.ts";
import { sourceHooks } from "./hooks.ts";
import { gitRoots, labelOf, pathOf, repositoryOf } from "./hosts.ts";
import {
  findProvider,
  findSource,
  findSourceProject,
  findSourceProjectForWork,
  insertSource,
  type SourceProject,
  setConfirmation,
  setHookSecret,
  setHookToken,
} from "./queries.ts";
import {
  askAgain,
  deleteDeployKey,
  keptDeployKey,
  listDeployKeys,
  listLeftKeys,
  listRegistrations,
} from "./registrations/queries.ts";
import type { RegistrationRow } from "./schema.ts";

/** The registrations of a project at its git host. */
export const sourceKind: Kind = { kind: "source", subject: "project" };

type Sealing = Pick<Context, "secrets">;

/** Brings deploy keys and webhook at the git host of a project up to date, after the commit of the transaction. */
export const syncGitHost = (tx: Db, ctx: WithQueue, projectId: number): Promise<void> =>
  syncGitHosts(tx, ctx, [projectId]);

/** The same for many projects. */
export const syncGitHosts = (tx: Db, { queue }: WithQueue, projectIds: Iterable<number>): Promise<void> =>
  touchAll(
    tx,
    queue,
    [...new Set(projectIds)].map((subjectId) => ({ ...sourceKind, subjectId })),
  );

/** Gives a project the address and the secret of its webhook, unless it has them from its organization. */
export async function ensureHook(tx: Db, { secrets }: Sealing, projectId: number): Promise<void> {
  const token = newToken();
  await insertSource(tx, {
    projectId,
    digest: digestOf(token),
    token: secrets.encrypt(token),
    secret: secrets.encrypt(newSigningSecret()),
  });
}

/** Gives the webhook a new address and a new secret: the former address stops working. */
export async function renewHook(tx: Db, { secrets }: Sealing, projectId: number): Promise<void> {
  const token = newToken();
  await setHookToken(tx, { projectId, digest: digestOf(token), token: secrets.encrypt(token) });
  await setHookSecret(tx, projectId, secrets.encrypt(newSigningSecret()));
}

const newToken = (): string => randomBytes(24).toString("base64url");

/** Address and secret of a project's webhook. */
export interface HookOfProject {
  url: string;
  secret: string;
  /** Whether the project deploys tags. */
  tags: boolean;
  digest: Buffer;
}

export async function findHook(
  ctx: Pick<Context, "config" | "secrets">,
  db: Db,
  project: Pick<SourceProject, "id" | "repository_type" | "deploys_tags">,
): Promise<HookOfProject | undefined> {
  const source = await findSource(db, project.id);
  if (!source) return undefined;
  const token = ctx.secrets.decrypt(source.hook_token);
  return {
    url: `${installationUrl(ctx.config)}/api/v1/hooks/${project.repository_type}/${token}`,
    secret: ctx.secrets.decrypt(source.hook_secret),
    tags: project.deploys_tags,
    digest: digestOf(token),
  };
}

// What a reader sees ---------------------------------------------------------------------------------------------------------

export async function showSource(ctx: RequestContext, projectId: number) {
  const project = await getSourceProject(ctx, projectId);
  await sourceCapabilities.refuse("read_source", project);
  const source = await findSource(ctx.pool, projectId);
  if (!source) {
    await transaction(ctx.pool, async (tx) => {
      await ensureHook(tx, ctx, projectId);
      await syncGitHost(tx, ctx, projectId);
    });
  }
  const [hook, keys, registrations, syncs, provider] = [
    await findHook(ctx, ctx.pool, project),
    await listDeployKeys(ctx.pool, projectId),
    await listRegistrations(ctx.pool, projectId),
    await listSyncs(ctx.pool, sourceKind, [projectId]),
    project.provider_id === null ? undefined : await findProvider(ctx.pool, ctx.actor, project.provider_id),
  ];
  const publicKey = keys.find((key) => key.server_id === project.server_id)?.public_key ?? null;
  const current = registrations.filter(isOf(project, pathOf(ctx.config, project)));
  return {
    repository_type: project.repository_type ?? "",
    repository: project.repository ?? "",
    repository_branch: project.repository_branch ?? "",
    needs_confirmation: project.needs_confirmation,
    provider: provider ? { ...provider, label: labelOf(provider.provider_type) } : null,
    deploy_key: { public_key: publicKey, ...standingOf(current.find((each) => each.subject === publicKey)) },
    webhook: {
      url: hook?.url ?? "",
      secret: hook?.secret ?? "",
      ...standingOf(current.find((each) => each.subject === hook?.digest.toString("hex"))),
    },
    commit_status: { error: source?.report_error ?? null },
    sync: syncs.get(projectId) ?? inSync,
  };
}

async function getSourceProject(ctx: RequestContext, id: number, db: Db = ctx.pool): Promise<SourceProject> {
  const project = await findSourceProject(db, ctx.actor, id);
  if (!project) throw notFound("The project");
  return project;
}

const isOf = (project: SourceProject, path: string | undefined) => (registration: RegistrationRow) =>
  registration.provider_id === project.provider_id && registration.repository === path;

const standingOf = (registration: RegistrationRow | undefined) => ({
  is_registered: registration?.state === "registered",
  error: registration?.error ?? null,
});

/** Makes a new secret; for a plain git server also a new address, which may be its only proof. */
export async function rotateSecret(ctx: RequestContext, projectId: number) {
  const project = await getSourceProject(ctx, projectId);
  await sourceCapabilities.refuse("renew_webhook_secret", project);
  await transaction(ctx.pool, async (tx) => {
    await ensureHook(tx, ctx, projectId);
    if (project.repository_type === "git") await renewHook(tx, ctx, projectId);
    else await setHookSecret(tx, projectId, ctx.secrets.encrypt(newSigningSecret()));
    await syncGitHost(tx, ctx, projectId);
  });
  const data = await showSource(ctx, projectId);
  const what = project.repository_type === "git" ? "address and a new secret" : "secret";
  return { message: `The webhook has a new ${what}. The former one counts no more.`, data };
}

/**
 * Sends all registrations to the host again, including those that it seems to have. By a member without restriction, it also
 * confirms the repository.
 */
export async function registerAgain(ctx: RequestContext, projectId: number) {
  await transaction(ctx.pool, async (tx) => {
    if (!ctx.actor.restriction) await setConfirmation(tx, projectId, false);
    const project = await getSourceProject(ctx, projectId, tx);
    await sourceCapabilities.refuse("register_source", project, {
      unconfirmed: () => project.needs_confirmation,
      no_account: () => project.provider_id === null,
    });
    await ensureHook(tx, ctx, projectId);
    await askAgain(tx, projectId);
    await syncGitHost(tx, ctx, projectId);
  });
  return { message: "Deploy key and webhook are being registered.", data: await showSource(ctx, projectId) };
}

// For deployments ------------------------------------------------------------------------------------------------------------

/** The address from which a server fetches the project's repository. Undefined for an app. */
export async function fetchAddressOf(
  ctx: Pick<Context, "config">,
  db: Db,
  project: Pick<SourceProject, "id" | "repository" | "repository_type">,
  serverId: number,
): Promise<Pick<GitSource, "url" | "privateUrl" | "hosts"> | undefined> {
  const repository = repositoryOf(ctx.config, project);
  if (!repository || !project.repository_type) return undefined;
  const known = await findSshUrl(ctx, db, project, serverId);
  const checked = known ? parseRepository(known, "git")?.url : undefined;
  const roots = gitRoots(ctx.config);
  const hosts = hostAddresses(roots, checked ? { web: repository.url, ssh: checked } : undefined);
  if (checked) return { url: checked, hosts };
  return { url: repository.url, privateUrl: privateUrlOf(repository.url, project.repository_type, roots), hosts };
}

/** The SSH address that the host reported when it took the server's deploy key of the present repository. */
async function findSshUrl(
  ctx: Pick<Context, "config">,
  db: Db,
  project: Pick<SourceProject, "id" | "repository" | "repository_type">,
  serverId: number,
): Promise<string | null | undefined> {
  const path = pathOf(ctx.config, project);
  if (path === undefined) return undefined;
  const key = await findDeployKey(db, { projectId: project.id, serverId });
  if (key === undefined) return undefined;
  const registrations = await listRegistrations(db, project.id);
  return registrations.find(
    ({ state, subject, repository }) => state === "registered" && subject === key && repository === path,
  )?.ssh_url;
}

/**
 * What is missing until a server can fetch from the connected account's host: its deploy key, or the registration of that. A host
 * that has refused the key is not asked again: the fetch then shows whether it works.
 */
export async function missingForFetch(
  tx: PoolClient,
  ctx: Pick<Context, "config">,
  { id: projectId, ...located }: Pick<SourceProject, "id" | "repository" | "repository_type">,
  serverId: number,
): Promise<"key" | "registration" | undefined> {
  const path = pathOf(ctx.config, located);
  const project = path === undefined ? undefined : await findSourceProjectForWork(tx, projectId);
  if (path === undefined || !project || project.provider_id === null) return undefined;
  const key = await findDeployKey(tx, { projectId, serverId });
  const current = (await listRegistrations(tx, projectId)).filter(isOf(project, path));
  if (key !== undefined && current.find((each) => each.subject === key)?.is_settled) return undefined;
  return key === undefined ? "key" : "registration";
}

const findDeployKey = async (db: Db, { projectId, serverId }: PlacementRef): Promise<string | undefined> =>
  (await listDeployKeys(db, projectId)).find((each) => each.server_id === serverId)?.public_key;

export const hasDeployKey = async (tx: Db, key: PlacementRef): Promise<boolean> =>
  (await findDeployKey(tx, key)) !== undefined;

/** Records the key that a server made for a project, and updates a host that needs it. */
export async function recordDeployKey(
  tx: PoolClient,
  ctx: WithQueue,
  { projectId, serverId, publicKey }: { projectId: number; serverId: number | null; publicKey: string | undefined },
): Promise<void> {
  if (serverId === null || publicKey === undefined || !/^ssh-ed25519 [A-Za-z0-9+/=]{40,200}( \S*)?$/.test(publicKey)) {
    return;
  }
  if (await keptDeployKey(tx, { projectId, serverId, publicKey })) await syncGitHost(tx, ctx, projectId);
}

/** Forgets the key of a server that the project has left: if it comes back, the server makes another one. */
export async function forgetDeployKey(tx: PoolClient, ctx: WithQueue, key: PlacementRef): Promise<void> {
  await deleteDeployKey(tx, key);
  await syncGitHost(tx, ctx, key.projectId);
}

/** Forgets the keys of servers that their projects have left, and no feature works on any more; returns those projects. */
export async function dropLeftKeys(tx: PoolClient, ctx: WithHooks): Promise<number[]> {
  const projectIds: number[] = [];
  for (const key of await listLeftKeys(tx)) {
    if (await isAny(sourceHooks.of(ctx), (hook) => hook.usesKey?.(tx, key))) continue;
    await deleteDeployKey(tx, key);
    projectIds.push(key.projectId);
  }
  return projectIds;
}
