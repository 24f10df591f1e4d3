import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { forgetTarget } from "../../../engine/reconcile/reconcile.ts";
import type { OutsideTargetKind, Target } from "../../../engine/reconcile/target.ts";
import { AppError, failureSentence, messageOf } from "../../../lib/errors.ts";
import { HostError } from "../../../providers/git/call.ts";
import type { Hook } from "../../../providers/git/git-host.ts";
import { digestOf } from "../../accounts/tokens.ts";
import { sourceHooks } from "../hooks.ts";
import { type Connection, connectionOf, pathOf } from "../hosts.ts";
import { findSourceProjectForWork, lockSourceProject, type SourceProject } from "../queries.ts";
import type { RegistrationRow } from "../schema.ts";
import { ensureHook, findHook, sourceKind } from "../source.ts";
import {
  droppedRegistration,
  dropTakenOver,
  forgetRemote,
  listDeployKeys,
  listRegistrable,
  listRegistrations,
  makeObsolete,
  type NewRegistration,
  recordFailure,
  recordRegistered,
  wantRegistration,
} from "./queries.ts";

// A project's registrations at its git host follow from rows: code that changes them calls `syncGitHost`, which touches a target
// of engine/reconcile. Each attempt first records in the database what to register and what to remove, then updates the host, one
// item at a time, and records each response. It may be interrupted anywhere and repeated: it finds items that an interrupted
// attempt left at the host.

const callTimeoutMs = 50_000;
/** After this many failures a deployment no longer waits; the attempts continue. */
const settledAfterAttempts = 3;
/** A registration that could not be removed for this long is left at the host. */
const removalDays = 8;

/** A git host has the deploy keys and the webhook of a project. */
export const sourceTarget = (ctx: Context): OutsideTargetKind => ({
  ...sourceKind,
  call: (target, signal) => syncSource(ctx, target, signal),
});

async function syncSource(ctx: Context, target: Target, signal: AbortSignal): Promise<void> {
  const { subjectId: projectId } = target;
  const failures: unknown[] = [];
  const attempt = async (registration: RegistrationRow, work: typeof register): Promise<void> => {
    try {
      await work(ctx, registration, AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]));
    } catch (error) {
      if (signal.aborted) throw error;
      await keepReason(ctx, registration, error, target.attempts + 1);
      failures.push(error);
    }
  };
  await transaction(ctx.pool, async (tx) => {
    const project = await lockSourceProject(tx, projectId);
    const wanted = project ? await wantedOf(tx, ctx, project) : [];
    for (const each of wanted) await wantRegistration(tx, each);
    const all = await listRegistrations(tx, projectId);
    const kept = all.filter((row) => wanted.some((each) => isSame(each, row))).map((row) => row.id);
    await makeObsolete(tx, projectId, kept);
    await dropTakenOver(tx, projectId);
  });
  // First the removals: a host accepts a key for one repository at a time.
  const obsolete = (await listRegistrations(ctx.pool, projectId)).filter(({ state }) => state === "obsolete");
  for (const each of obsolete) await attempt(each, remove);
  for (const each of await listRegistrable(ctx.pool, projectId)) await attempt(each, register);
  await transaction(ctx.pool, (tx) => endWait(tx, ctx, target));
  // The earliest retry decides when all are attempted again.
  if (failures.length > 0) throw failures.find((error) => !isPermanent(error)) ?? failures[0];
}

async function wantedOf(tx: PoolClient, ctx: Context, project: SourceProject): Promise<NewRegistration[]> {
  await ensureHook(tx, ctx, project.id);
  const repository = pathOf(ctx.config, project);
  const hook = await findHook(ctx, tx, project);
  if (project.provider_id === null || repository === undefined || !hook) return [];
  const at = { project_id: project.id, provider_id: project.provider_id, repository };
  const keys = await listDeployKeys(tx, project.id);
  return [
    ...keys.map((key) => ({ ...at, kind: "key" as const, subject: key.public_key, fingerprint: key.public_key })),
    { ...at, kind: "hook" as const, subject: hook.digest.toString("hex"), fingerprint: fingerprintOf(hook) },
  ];
}

const isSame = (one: NewRegistration, other: RegistrationRow): boolean =>
  one.provider_id === other.provider_id &&
  one.repository === other.repository &&
  one.kind === other.kind &&
  one.subject === other.subject;

const fingerprintOf = ({ url, secret, tags }: Omit<Hook, "isOurs">): string =>
  createHash("sha256")
    .update(`${url}\n${secret}${tags ? "\ntags" : ""}`)
    .digest("hex");

// Registering ----------------------------------------------------------------------------------------------------------------

async function register(ctx: Context, registration: RegistrationRow, signal: AbortSignal): Promise<void> {
  const project = await findSourceProjectForWork(ctx.pool, registration.project_id);
  if (!project) throw gone();
  const { api, access } = await connectionOf(ctx, ctx.pool, registration.provider_id, signal);
  // The host reports the present path and fetch address of a renamed repository.
  const { path, sshUrl } = await api.getRepository(access, registration.repository);
  if (registration.kind === "key") {
    const publicKey = registration.subject;
    const remoteId = await api.registerKey(access, path, { title: `Longshore: ${project.name}`, publicKey });
    await recordRegistered(ctx.pool, registration, { remoteId, fingerprint: publicKey, sshUrl });
    return;
  }
  const hook = await findHook(ctx, ctx.pool, project);
  if (!hook) throw gone();
  if (ctx.config.publicUrl === undefined) {
    const sentence = "The webhook cannot be registered: LONGSHORE_PUBLIC_URL is not set, so it has no address.";
    throw new AppError("refused", sentence, { permanent: true });
  }
  const remoteId = await api.registerHook(access, path, { ...hook, isOurs: isHookOf(registration) });
  await recordRegistered(ctx.pool, registration, { remoteId, fingerprint: fingerprintOf(hook), sshUrl: null });
}

const gone = (): AppError => new AppError("refused", "The project was deleted meanwhile.", { permanent: true });

// The token is the end of the address; the row has its digest. The installation may have had another name before.
const isHookOf =
  ({ subject }: RegistrationRow): Hook["isOurs"] =>
  (url) => {
    const token = /\/api\/v1\/hooks\/[a-z_]+\/([\w-]+)$/.exec(url)?.[1];
    return token !== undefined && digestOf(token).toString("hex") === subject;
  };

// Removing -------------------------------------------------------------------------------------------------------------------

async function remove(ctx: Context, registration: RegistrationRow, signal: AbortSignal): Promise<void> {
  const { id, kind, repository, obsolete_since: since } = registration;
  try {
    await removeAtHost(ctx, registration, signal);
  } catch (error) {
    // A removal that a host rejects today, because of an expired token or a limit, may succeed tomorrow.
    const isRetried = since === null || Date.now() - Date.parse(since) < removalDays * 24 * 3_600_000;
    if (isRetried || signal.aborted) throw error;
    ctx.log.warn(`A ${kind} of ${repository} stays at the git host: ${messageOf(error)}`);
  }
  // It may be wanted again by now: then it is registered again.
  if (!(await droppedRegistration(ctx.pool, id))) await forgetRemote(ctx.pool, id);
}

async function removeAtHost(ctx: Context, registration: RegistrationRow, signal: AbortSignal): Promise<void> {
  const connection = await connectionOf(ctx, ctx.pool, registration.provider_id, signal);
  const path = await presentPath(connection, registration.repository);
  if (path === undefined) return;
  const { api, access } = connection;
  const { remote_id: id, subject } = registration;
  if (registration.kind === "key") return api.removeKey(access, path, { id, publicKey: subject });
  return api.removeHook(access, path, { id, isOurs: isHookOf(registration) });
}

/** The present path of the repository: a host finds a renamed one by its former name for reads, but not for changes. */
async function presentPath({ api, access }: Connection, repository: string): Promise<string | undefined> {
  try {
    return (await api.getRepository(access, repository)).path;
  } catch (error) {
    // It is gone with all its registrations, or the account has lost access.
    if (error instanceof HostError && error.answered === 404) return undefined;
    throw error;
  }
}

// Failures -------------------------------------------------------------------------------------------------------------------

const isPermanent = (error: unknown): boolean => error instanceof AppError && error.permanent;

function keepReason(ctx: Context, { id }: RegistrationRow, error: unknown, attempts: number): Promise<void> {
  const reason = failureSentence(error, (err) => ctx.log.error({ err }, "a registration at a git host failed"));
  const isSettled = isPermanent(error) || attempts >= settledAfterAttempts;
  return recordFailure(ctx.pool, id, { error: reason, isSettled });
}

// Waiting callers -------------------------------------------------------------------------------------------------------------

/**
 * Releases a deployment that waited for its key. The target of a deleted project is deleted when nothing is registered any more.
 */
async function endWait(tx: PoolClient, ctx: Context, target: Target): Promise<void> {
  const { subjectId: projectId } = target;
  const project = await findSourceProjectForWork(tx, projectId);
  if (!project) {
    if ((await listRegistrations(tx, projectId)).length === 0)
      await forgetTarget(tx, { ...sourceKind, subjectId: projectId });
    return;
  }
  const isConnected = project.provider_id !== null && pathOf(ctx.config, project) !== undefined;
  for (const { onKeysSettled } of sourceHooks.of(ctx)) {
    await onKeysSettled?.(tx, ctx, projectId, isConnected ? "settled" : "all");
  }
}
