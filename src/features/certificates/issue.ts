import { randomUUID, X509Certificate } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { createRun } from "../../engine/runs.ts";
import type { ChallengeFile } from "../../host/certificate.ts";
import { projectLayout } from "../../host/layout.ts";
import { resolveAddresses } from "../../lib/dns.ts";
import { AppError } from "../../lib/errors.ts";
import type { AcmeClient, AcmeOrder, Authorization } from "../../providers/acme/client.ts";
import { AcmeError } from "../../providers/acme/problem.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import { certificateKind } from "../projects/schema.ts";
import type { Authority } from "./authority/account.ts";
import {
  countFailures,
  type OrderRequest,
  recordRateLimit,
  releaseQuota,
  reserveQuota,
  type Wait,
} from "./authority/governor.ts";
import { emitCertificate } from "./events.ts";
import { beginInstallation, viewFromHere } from "./installation.ts";
import { continueOrder, type Failure, failOrder, isOvertaken, replaceOrder } from "./orders.ts";
import { challengePlan, probeOf } from "./plans.ts";
import { checkNames } from "./preflight.ts";
import {
  countTry,
  endOrder,
  findOrder,
  findServerAddress,
  leaseOrder,
  moveOrder,
  type OrderChanges,
  releaseOrder,
} from "./queries.ts";
import type { OrderRow, Phase } from "./schema.ts";

// How an order proceeds. Each phase is a row's state, and the input of a phase is in the row: a worker that resumes an order
// after a crash continues where it was, with the order that the authority has. A phase may run twice.

const leaseSeconds = 12;
const holdEveryMs = 4_000;
/** How often the authority is asked again when it, or the way to it, fails for the moment. */
const passingTries = 5;
/** A wait that is not longer is waited; a longer one ends the attempt, and the reader learns until when. */
const shortWaitMs = 30_000;
const validationMs = 90_000;

/** An attempt that failed, reported by the phase that found out. */
class OrderRejected extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reasons.join(" "));
    this.failure = failure;
  }
}

type Work = Pick<Context, "pool" | "queue" | "config" | "log"> & { authority: Authority; signal: AbortSignal };

/** Continues an order as far as possible without its server; of several workers at once, one does. */
export async function workOnOrder(work: Work, orderId: number): Promise<void> {
  const lease = randomUUID();
  const order = await leaseOrder(work.pool, orderId, lease, leaseSeconds);
  if (!order) return refuseUnlessEnded(work, orderId);
  const hold = setInterval(() => void leaseOrder(work.pool, orderId, lease, leaseSeconds).catch(ignore), holdEveryMs);
  try {
    await goOn(work, order);
  } finally {
    clearInterval(hold);
    await releaseOrder(work.pool, orderId, lease);
  }
}

const ignore = (): void => {};

// The job is retried, and takes over when the other worker turns out to be dead.
async function refuseUnlessEnded({ pool }: Work, orderId: number): Promise<void> {
  const order = await findOrder(pool, orderId);
  if (order && order.outcome === null) throw new Error(`Another worker is at certificate order ${orderId}`);
}

/** The phases that need no run; each resolves with the order when another one of them follows. */
const phases: Partial<Record<Phase, (work: Work, order: OrderRow) => Promise<OrderRow | undefined>>> = {
  check,
  order: placeOrder,
  validate,
  install,
  verify,
};

async function goOn(work: Work, found: OrderRow): Promise<void> {
  let order: OrderRow | undefined = found;
  while (order && !work.signal.aborted) {
    const current: OrderRow = order;
    try {
      order = await phases[current.phase]?.(work, current);
    } catch (error) {
      if (work.signal.aborted) return;
      return await handleFailure(work, current, error);
    }
  }
}

// Failures -----------------------------------------------------------------------------------------------------------------

async function handleFailure(work: Work, order: OrderRow, error: unknown): Promise<void> {
  if (error instanceof OrderRejected) return fail(work, order, error.failure);
  if (error instanceof AcmeError) {
    if (error.isLimit) return handleRateLimit(work, order, error);
    if (error.type === "accountDoesNotExist") await work.authority.forget();
    else if (!error.isPassing) return fail(work, order, { reasons: [refusalOf(error)], isCounted: true });
  } else if (!(error instanceof AppError))
    work.log.error({ err: error, order: order.id }, "a certificate order failed");
  await tryAgain(work, order, reasonOf(error));
}

const reasonOf = (error: unknown): string => {
  if (error instanceof AcmeError) return refusalOf(error);
  // A bug of our own is described in the log only.
  return error instanceof AppError ? error.message : "Longshore could not continue the order; its log says why.";
};

// A transient failure is worth another attempt in a moment; in the end it fails, so that nothing is open for ever.
const tryAgain = (work: Work, order: OrderRow, reason: string): Promise<void> =>
  transaction(work.pool, async (tx) => {
    await lockProjectForWork(tx, order.project_id);
    const tries = await countTry(tx, order.id, `${reason} It is retried.`);
    if (tries > passingTries) await failOrder(tx, work, order, { reasons: [reason], isCounted: false });
    else if (tries > 0) await continueOrder(tx, work, order.id, 2 ** (tries - 1));
  });

const fail = (work: Work, order: OrderRow, failure: Failure): Promise<void> =>
  transaction(work.pool, (tx) => failOrder(tx, work, order, failure));

const refusalOf = (error: AcmeError): string =>
  error.type === "network"
    ? `The certificate authority cannot be reached: ${error.message}`
    : `The certificate authority refuses: ${error.message}`;

const requestFor = (work: Work, { id, names, purpose }: OrderRow): OrderRequest => ({
  directory: work.authority.directory,
  names,
  isRenewal: purpose === "renewal",
  orderId: id,
});

const handleRateLimit = (work: Work, order: OrderRow, error: AcmeError): Promise<void> =>
  transaction(work.pool, async (tx) =>
    postpone(tx, work, order, await recordRateLimit(tx, requestFor(work, order), error)),
  );

async function postpone(tx: PoolClient, work: Work, order: OrderRow, { until, reason }: Wait): Promise<void> {
  const waitMs = until.getTime() - Date.now();
  await lockProjectForWork(tx, order.project_id);
  if (waitMs <= shortWaitMs) {
    const tries = await countTry(tx, order.id, reason);
    if (tries === 0) return;
    // An authority that asks for patience again and again does not keep an order open for ever.
    if (tries <= passingTries) return continueOrder(tx, work, order.id, Math.max(1, Math.ceil(waitMs / 1_000)));
  }
  await failOrder(tx, work, order, { reasons: [reason], isCounted: false, until });
}

// Phases -------------------------------------------------------------------------------------------------------------------

/** Whether all names lead to the server: before anything counts at the authority. */
async function check(work: Work, order: OrderRow): Promise<OrderRow | undefined> {
  const server = await findServerAddress(work.pool, order.server_id);
  if (!server) return undefined;
  const { name, content } = probeOf(order);
  const { fine, wrong } = await checkNames({
    names: order.names,
    server,
    probe: { path: `/.well-known/acme-challenge/${name}`, content },
    resolve: (asked) => resolveAddresses(asked, { servers: work.config.dnsServers }),
  });
  if (wrong.length > 0) throw new OrderRejected({ reasons: wrong, isCounted: false });
  return advance(work, order, "order", { log: fine });
}

/** Orders at the authority, once nothing speaks against it. */
async function placeOrder(work: Work, order: OrderRow): Promise<OrderRow | undefined> {
  const client = await work.authority.client();
  const request = requestFor(work, order);
  const wait = await transaction(work.pool, (tx) => reserveQuota(tx, work.config, request));
  if (wait) return transaction(work.pool, (tx) => postpone(tx, work, order, wait)).then(() => undefined);
  const placed = await newOrder(work, client, order);
  const open = (await authorizationsOf(client, placed)).filter(({ status }) => status === "pending");
  const challenges = open.map(({ name, challenge }) => {
    if (challenge) return { name, url: challenge.url, token: challenge.token };
    throw new OrderRejected({ reasons: [`The authority offers no proof over HTTP for ${name}.`], isCounted: true });
  });
  const log = ["The authority has taken the order."];
  const known = { directory: work.authority.directory, orderUrl: placed.url, challenges, log };
  if (challenges.length === 0) return advance(work, order, "validate", known);
  const files = challenges.map(({ token }) => ({ name: token, content: client.keyAuthorization(token) }));
  await advance(work, order, "challenge", known, (tx) => publishChallenges(tx, work, order, files));
  return undefined;
}

/** Makes the server show the proof for the authority; the end of the run continues the order. */
async function publishChallenges(
  tx: PoolClient,
  work: Work,
  order: OrderRow,
  files: readonly ChallengeFile[],
): Promise<void> {
  const plan = challengePlan(projectLayout(order.project_id), files);
  const run = { serverId: order.server_id, kind: certificateKind, subjectId: order.project_id, plan };
  await moveOrder(tx, order.id, "challenge", "challenge", { runId: await createRun(tx, work.queue, run) });
}

async function newOrder(work: Work, client: AcmeClient, { id, names }: OrderRow): Promise<AcmeOrder> {
  try {
    return await client.newOrder(names);
  } catch (error) {
    // Otherwise an outage of the authority would use up what may be ordered.
    if (error instanceof AcmeError && (error.isPassing || error.isLimit)) await releaseQuota(work.pool, id);
    throw error;
  }
}

const authorizationsOf = (client: AcmeClient, { authorizations }: AcmeOrder): Promise<Authorization[]> =>
  Promise.all(authorizations.map((url) => client.getAuthorization(url)));

/** Has the authority look, and issue. */
async function validate(work: Work, order: OrderRow): Promise<OrderRow | undefined> {
  const client = await work.authority.client();
  const url = order.order_url as string;
  const issued = await untilIssued(work, order, client, await respond(client, await client.getOrder(url)));
  if (!issued?.certificate) return undefined;
  const chain = await client.download(issued.certificate);
  refuseWrong(order, new X509Certificate(chain));
  return advance(work, order, "install", { chain, log: ["The authority has issued the certificate."] });
}

// Repeated after an interruption only for what the authority has not received yet.
async function respond(client: AcmeClient, placed: AcmeOrder): Promise<AcmeOrder> {
  if (placed.status !== "pending") return placed;
  const open = await authorizationsOf(client, placed);
  const unheard = open.flatMap(({ status, challenge }) =>
    status === "pending" && challenge?.status === "pending" ? [challenge.url] : [],
  );
  await Promise.all(unheard.map((url) => client.respond(url)));
  return unheard.length > 0 ? client.getOrder(placed.url) : placed;
}

async function untilIssued(
  work: Work,
  order: OrderRow,
  client: AcmeClient,
  first: AcmeOrder,
): Promise<AcmeOrder | undefined> {
  // A deadline of this worker, not of the phase: an order that was left lying for a while would be given up before it is asked
  // about.
  const deadline = Math.min(Date.now() + validationMs, first.expires?.getTime() ?? Number.POSITIVE_INFINITY);
  let current = first;
  for (let wait = 40; !work.signal.aborted; wait = Math.min(wait * 1.5, 2_000)) {
    if (current.status === "valid") return current;
    if (current.status === "invalid") throw await invalid(work, client, current);
    if (current.status === "ready") current = await client.finalize(current, order.request as string);
    else if (Date.now() > deadline) throw new OrderRejected(tooLate);
    else {
      await pause(wait, undefined, { signal: work.signal }).catch(ignore);
      current = await client.getOrder(current.url);
    }
  }
  return undefined;
}

const tooLate: Failure = { reasons: ["The authority did not come to an end with the order in time."], isCounted: true };

/** The authority's findings, for each name. */
async function invalid(work: Work, client: AcmeClient, placed: AcmeOrder): Promise<OrderRejected> {
  const failed = (await authorizationsOf(client, placed)).filter(({ status }) => status === "invalid");
  const reasons = failed.map(
    ({ name, challenge }) =>
      `The authority could not verify ${name}: ${challenge?.error?.message ?? "it does not say why"}`,
  );
  await countFailures(
    work.pool,
    work.authority.directory,
    failed.map(({ name }) => name),
  );
  const other = `The authority refuses the order: ${placed.error?.message ?? "it does not say why."}`;
  return new OrderRejected({ reasons: reasons.length > 0 ? reasons : [other], isCounted: true });
}

function refuseWrong({ names }: OrderRow, certificate: X509Certificate): void {
  const missing = names.filter((name) => !certificate.checkHost(name));
  if (missing.length === 0) return;
  throw new OrderRejected({
    reasons: [`The authority issued a certificate without ${missing.join(", ")}.`],
    isCounted: true,
  });
}

/** Gives it to the server, as soon as nothing else changes the site. */
async function install(work: Work, order: OrderRow): Promise<undefined> {
  await transaction(work.pool, async (tx) => {
    const project = await lockProjectForWork(tx, order.project_id);
    if (!project) return;
    await beginInstallation(tx, work, project, order);
  });
}

/** Checks from here which certificate visitors get. The server itself has checked: this shows proxies in between. */
async function verify(work: Work, order: OrderRow): Promise<undefined> {
  const server = await findServerAddress(work.pool, order.server_id);
  const seen = await viewFromHere(server?.public_ip, order);
  await transaction(work.pool, async (tx) => {
    const project = await lockProjectForWork(tx, order.project_id);
    const ended = await endOrder(tx, order.id, { outcome: "succeeded", log: [seen] });
    if (ended && project) await emitCertificate(tx, project);
  });
}

/** Goes to the next phase, unless the order has ended meanwhile or is no longer needed; `then` comes with it. */
const advance = (
  work: Work,
  order: OrderRow,
  to: Phase,
  changes: OrderChanges,
  then?: (tx: PoolClient) => Promise<void>,
): Promise<OrderRow | undefined> =>
  transaction(work.pool, async (tx) => {
    const project = await lockProjectForWork(tx, order.project_id);
    if (!project) return undefined;
    if (isOvertaken(order, project)) {
      await replaceOrder(tx, work, project, order);
      return undefined;
    }
    const moved = await moveOrder(tx, order.id, order.phase, to, changes);
    if (moved) await then?.(tx);
    return moved;
  });
