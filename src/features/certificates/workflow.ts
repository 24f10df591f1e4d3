import { X509Certificate } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { Phase, PhaseRun, Work, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { projectLayout } from "../../host/layout.ts";
import { resolveAddresses } from "../../lib/dns.ts";
import { AppError } from "../../lib/errors.ts";
import type { AcmeClient, AcmeOrder, Authorization } from "../../providers/acme/client.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { installKind } from "../sites/schema.ts";
import { recordInstallation } from "../sites/target.ts";
import { type Authority, openAuthority } from "./authority/account.ts";
import { listRefusedNames } from "./authority/queries.ts";
import { countFailures, releaseQuota, reserveQuota } from "./authority/quota.ts";
import { emitCertificate } from "./events.ts";
import { handleFailure, OrderRejected, Postponed, requestFor } from "./failures.ts";
import { installSecrets, planInstallation, recordServed, viewFromHere } from "./installation.ts";
import { failOrder, isOvertaken, replaceOrder } from "./orders.ts";
import { challengePlan, probeOf, requestPlan } from "./plans.ts";
import { checkNames, namesToOrder } from "./preflight.ts";
import {
  endOrder,
  findCertificateState,
  findOrder,
  findServerAddress,
  narrowOrder,
  setInstallRun,
  storeResults,
} from "./queries.ts";
import { type CertificateState, certificateKind, type OrderData, type OrderRow, orderKind } from "./schema.ts";
import { touchLeftovers } from "./targets.ts";

type OrderWork = Work<OrderData>;
type OrderWorkflow = Workflow<OrderData>;

const minute = 60_000;
const heldMs = 3 * 24 * 60 * minute;
/** How long the authority may take to validate, and then to issue. */
const patienceMs = 90_000;
const phaseTimeoutMs = 15 * minute;
// The server's site may be busy for as long as a server may be away.
const installTimeoutMs = 7 * 24 * 60 * minute;

/**
 * An order, from the key on the server to the served certificate. Its results are in its row, so a phase that runs again
 * continues with the order that the authority has. `cleanupTarget` removes the remains of a failed order from its server when the
 * workflow has ended; at the authority they expire.
 */
export function certificateWorkflow(ctx: Context, authority: Authority = openAuthority(ctx)): WorkflowKind<OrderData> {
  const deps: OrderDeps = { ...ctx, authority };
  const isUploaded = (data: OrderData) => data.isUploaded;
  const phases: Phase<OrderData>[] = [
    {
      name: "request",
      label: "Make the key and the request on the server",
      skip: isUploaded,
      run: makeRequest,
      onSucceeded: storeRequest,
    },
    {
      name: "names",
      label: "Check that the names lead to the server",
      skip: isUploaded,
      call: (work) => withAuthority(deps, work, checkNamesOf),
    },
    {
      name: "narrow",
      label: "Make the request without the names that are left out",
      skip: (data) => data.isUploaded || !data.isNarrowed,
      run: makeRequest,
      onSucceeded: storeRequest,
    },
    {
      name: "reserve",
      label: "Reserve the authority's quota",
      skip: isUploaded,
      call: (work) => withAuthority(deps, work, reserve),
      undo: (work) => releaseUnused(ctx, work),
    },
    {
      name: "order",
      label: "Order at the authority",
      skip: isUploaded,
      call: (work) => withAuthority(deps, work, placeOrder),
    },
    {
      name: "challenges",
      label: "Publish the challenges on the server",
      skip: (data) => data.isUploaded || data.hasChallenges === false,
      run: publishChallenges,
    },
    {
      name: "validate",
      label: "Ask the authority to validate, and wait",
      skip: isUploaded,
      until: (work) => withAuthority(deps, work, validate),
      everyMs: pollInterval,
      timeoutMs: phaseTimeoutMs,
    },
    {
      name: "fetch",
      label: "Finalize the order and fetch the certificate",
      skip: isUploaded,
      until: (work) => withAuthority(deps, work, fetchCertificate),
      everyMs: pollInterval,
      timeoutMs: phaseTimeoutMs,
    },
    {
      name: "install",
      label: "Install the certificate on the server and see it served",
      run: install,
      secrets: (workflow) => installSecrets(ctx, workflow),
      onSucceeded: (tx, workflow, run) => finishInstallation(tx, ctx, workflow, run),
      onFailed: (tx, _, run) => recordInstallation(tx, ctx, run),
      timeoutMs: installTimeoutMs,
    },
    { name: "look", label: "Look at the site from here", call: (work) => probeFromHere(ctx, work) },
  ];
  return {
    ...orderKind,
    runKinds: [certificateKind, installKind],
    phases,
    pointOfNoReturn: "install",
    onChanged: (tx, workflow) => followWorkflow(tx, ctx, workflow),
    onEnded: (tx, workflow) => recordEnd(tx, ctx, workflow),
  };
}

interface OrderDeps extends Context {
  authority: Authority;
}

// The pauses grow with the wait, from the duration at a fast authority.
const pollInterval = (waitedMs: number): number => Math.min(Math.max(waitedMs / 2, 40), 2_000);

/** Runs a phase that calls the authority, and records its failure with the order. */
async function withAuthority<Result>(
  deps: OrderDeps,
  work: OrderWork,
  phase: (deps: OrderDeps, work: OrderWork, order: OrderRow) => Promise<Result>,
): Promise<Result> {
  const { order } = await getNeeded(deps.pool, work.workflow);
  try {
    return await phase(deps, work, order);
  } catch (error) {
    throw await handleFailure(deps, work, order, error);
  }
}

/** The order and its project. Throws if it has ended or the project no longer needs it, which undoes the workflow. */
async function getNeeded(db: Db, { subjectId }: OrderWorkflow): Promise<{ order: OrderRow; project: PlacedProject }> {
  const order = await findOrder(db, subjectId);
  const project = order && (await findProjectForWork(db, order.project_id));
  if (project && order.outcome === null && !isOvertaken(order, project)) return { order, project };
  throw new AppError("refused", "The order is not needed any more.", { permanent: true });
}

// Phases -------------------------------------------------------------------------------------------------------------------

async function makeRequest(tx: PoolClient, workflow: OrderWorkflow): Promise<PhaseRun> {
  const { order } = await getNeeded(tx, workflow);
  const { id, names, project_id: subjectId, server_id: serverId } = order;
  return {
    ...certificateKind,
    serverId,
    subjectId,
    plan: requestPlan(projectLayout(subjectId), { id, names, probe: probeOf(order) }),
  };
}

async function storeRequest(tx: PoolClient, { subjectId }: OrderWorkflow, { facts }: Run): Promise<void> {
  if (facts.request) await storeResults(tx, subjectId, { request: facts.request });
}

/**
 * Before any request that the authority counts. Names whose proof would fail are left out: one of them would keep all others from
 * getting a certificate.
 */
async function checkNamesOf({ pool, config, authority }: OrderDeps, work: OrderWork, order: OrderRow): Promise<void> {
  if (order.request === null) {
    throw new OrderRejected({ reasons: ["The server did not do what it was asked."], isCounted: false });
  }
  const server = await findServerAddress(pool, order.server_id);
  if (!server) throw new OrderRejected({ reasons: ["The server has no address."], isCounted: false });
  const { name, content } = probeOf(order);
  const findings = await checkNames({
    names: order.names,
    server,
    probe: { path: `/.well-known/acme-challenge/${name}`, content },
    resolve: (asked) => resolveAddresses(asked, { servers: config.dnsServers }),
  });
  const refused = await listRefusedNames(pool, authority.directory, order.names);
  const present = await findCertificateState(pool, order.project_id);
  const { names, leftOut } = namesToOrder(findings, { refused, covered: namesHeld(present) });
  const reasons = leftOut.map(({ reason }) => reason);
  const isWorthwhile = leftOut.length === 0 || !work.data.isAutomatic || isImprovement(present, names);
  if (names.length === 0 || !isWorthwhile) throw new OrderRejected({ reasons, isCounted: false });
  await work.save(leftOut.length > 0 ? { isNarrowed: true } : {}, async (tx) => {
    await storeResults(tx, order.id, { log: findings.map(({ sentence }) => sentence) });
    if (leftOut.length > 0) await narrowOrder(tx, order.id, { names, leftOut: [...order.left_out, ...leftOut] });
  });
}

/** The names of a certificate that need no other one for some days. */
const namesHeld = (present: CertificateState | undefined): readonly string[] =>
  present?.not_after && Date.parse(present.not_after) - Date.now() > heldMs ? present.names : [];

/** Whether a certificate for these names would cover more than the present one, or that one is due for renewal. */
function isImprovement(present: CertificateState | undefined, names: readonly string[]): boolean {
  if (!present?.renew_at || Date.parse(present.renew_at) <= Date.now()) return true;
  return names.some((name) => !present.names.includes(name));
}

async function reserve(deps: OrderDeps, _: OrderWork, order: OrderRow): Promise<void> {
  const request = requestFor(deps.authority, order);
  const wait = await transaction(deps.pool, (tx) => reserveQuota(tx, deps.config, request));
  if (wait) throw new Postponed(wait);
}

// The authority counts orders that it accepted or refused for good. An outage must not use up the quota.
async function releaseUnused({ pool }: Context, { workflow, data }: OrderWork): Promise<void> {
  const order = await findOrder(pool, workflow.subjectId);
  if (order?.order_url === null && !data.failure?.isCounted) await releaseQuota(pool, order.id);
}

async function placeOrder({ authority }: OrderDeps, work: OrderWork, order: OrderRow): Promise<Partial<OrderData>> {
  const client = await authority.client();
  const placed = await findOrPlace(client, authority, work, order);
  const open = (await authorizationsOf(client, placed)).filter(({ status }) => status === "pending");
  const challenges = open.map(({ name, challenge }) => {
    if (challenge) return { name, token: challenge.token, content: client.keyAuthorization(challenge.token) };
    throw new OrderRejected({ reasons: [`The authority offers no proof over HTTP for ${name}.`], isCounted: true });
  });
  await work.save({}, (tx) => storeResults(tx, order.id, { challenges }));
  return { hasChallenges: challenges.length > 0 };
}

// Stored immediately: there is no other way to find an order that an authority has accepted.
async function findOrPlace(
  client: AcmeClient,
  { directory }: Authority,
  work: OrderWork,
  order: OrderRow,
): Promise<AcmeOrder> {
  if (order.order_url !== null) return client.getOrder(order.order_url);
  const placed = await client.newOrder(order.names);
  const results = { directory, orderUrl: placed.url, log: ["The authority has taken the order."] };
  await work.save({}, (tx) => storeResults(tx, order.id, results));
  return placed;
}

const authorizationsOf = (client: AcmeClient, { authorizations }: AcmeOrder): Promise<Authorization[]> =>
  Promise.all(authorizations.map((url) => client.getAuthorization(url)));

async function publishChallenges(tx: PoolClient, workflow: OrderWorkflow): Promise<PhaseRun> {
  const { order } = await getNeeded(tx, workflow);
  const { project_id: subjectId, server_id: serverId } = order;
  const files = order.challenges.map(({ token, content }) => ({ name: token, content }));
  return { ...certificateKind, serverId, subjectId, plan: challengePlan(projectLayout(subjectId), files) };
}

async function validate(deps: OrderDeps, work: OrderWork, order: OrderRow): Promise<true | undefined> {
  const client = await deps.authority.client();
  let placed = await client.getOrder(order.order_url as string);
  if (placed.status === "pending" && !work.data.isAsked) {
    // After an interruption, only to challenges that the authority has not received.
    const unanswered = (await authorizationsOf(client, placed)).flatMap(({ status, challenge }) =>
      status === "pending" && challenge?.status === "pending" ? [challenge.url] : [],
    );
    await Promise.all(unanswered.map((url) => client.respond(url)));
    await work.save({ isAsked: true });
    placed = await client.getOrder(placed.url);
  }
  if (placed.status === "pending") return refuseOverdue(work, placed);
  if (placed.status === "invalid") throw await invalid(deps, client, placed);
  return true;
}

async function fetchCertificate(deps: OrderDeps, work: OrderWork, order: OrderRow): Promise<true | undefined> {
  const client = await deps.authority.client();
  let placed = await client.getOrder(order.order_url as string);
  if (placed.status === "ready") placed = await client.finalize(placed, order.request as string);
  if (placed.status === "invalid") throw await invalid(deps, client, placed);
  if (placed.status !== "valid" || !placed.certificate) return refuseOverdue(work, placed);
  const chain = await client.download(placed.certificate);
  const certificate = new X509Certificate(chain);
  const missing = order.names.filter((name) => !certificate.checkHost(name));
  if (missing.length > 0) {
    const reasons = [`The authority issued a certificate without ${missing.join(", ")}.`];
    throw new OrderRejected({ reasons, isCounted: true });
  }
  const results = { chain, log: ["The authority has issued the certificate."] };
  await work.save({}, (tx) => storeResults(tx, order.id, results));
  return true;
}

function refuseOverdue({ workflow }: OrderWork, { expires }: AcmeOrder): undefined {
  const waitedUntil = Date.parse(workflow.phaseStartedAt ?? "") + patienceMs;
  if (Date.now() <= Math.min(waitedUntil, expires?.getTime() ?? Number.POSITIVE_INFINITY)) return undefined;
  const reasons = ["The authority did not come to an end with the order in time."];
  throw new OrderRejected({ reasons, isCounted: true });
}

/** The authority's findings, for each name. */
async function invalid({ pool, authority }: OrderDeps, client: AcmeClient, placed: AcmeOrder): Promise<OrderRejected> {
  const failed = (await authorizationsOf(client, placed)).filter(({ status }) => status === "invalid");
  const reasons = failed.map(
    ({ name, challenge }) =>
      `The authority could not verify ${name}: ${challenge?.error?.message ?? "it does not say why"}`,
  );
  await countFailures(
    pool,
    authority.directory,
    failed.map(({ name }) => name),
  );
  const other = `The authority refuses the order: ${placed.error?.message ?? "it does not say why."}`;
  return new OrderRejected({ reasons: reasons.length > 0 ? reasons : [other], isCounted: true });
}

async function install(tx: PoolClient, workflow: OrderWorkflow): Promise<PhaseRun | undefined> {
  const { order, project } = await getNeeded(tx, workflow);
  return planInstallation(tx, project, order);
}

/** Records the served certificate, in the transaction that stores the end of the run. */
async function finishInstallation(tx: PoolClient, ctx: Context, workflow: OrderWorkflow, run: Run): Promise<void> {
  const project = await lockProjectForWork(tx, workflow.data.projectId);
  const order = await findOrder(tx, workflow.subjectId);
  if (project && order?.outcome === null) await recordServed(tx, ctx, project, order);
  if (project) await recordInstallation(tx, ctx, run);
}

/**
 * Checks from the control plane which certificate visitors get. The server has checked itself: this detects proxies in between.
 */
async function probeFromHere({ pool }: Context, { workflow, save }: OrderWork): Promise<void> {
  const order = await findOrder(pool, workflow.subjectId);
  if (!order) return;
  const server = await findServerAddress(pool, order.server_id);
  const seen = await viewFromHere(server?.public_ip, order);
  await save({}, (tx) => storeResults(tx, order.id, { log: [seen] }));
}

// The record ---------------------------------------------------------------------------------------------------------------

async function followWorkflow(tx: PoolClient, ctx: Context, workflow: OrderWorkflow): Promise<void> {
  if (workflow.state === "undoing") return recordFailure(tx, ctx, workflow);
  if (workflow.phase === "install" && workflow.runId !== null) {
    await setInstallRun(tx, workflow.subjectId, workflow.runId);
  }
}

async function recordEnd(tx: PoolClient, ctx: Context, workflow: OrderWorkflow): Promise<void> {
  if (workflow.state === "succeeded") {
    const ended = await endOrder(tx, workflow.subjectId, { outcome: "succeeded" });
    const project = ended && (await findProjectForWork(tx, ended.project_id));
    if (project) await emitCertificate(tx, project);
    return;
  }
  await recordFailure(tx, ctx, workflow);
  const order = await findOrder(tx, workflow.subjectId);
  // Not before: a run that is under way could put files on the server after they were removed.
  if (order) await touchLeftovers(tx, ctx, order.project_id, order.server_id);
}

/** Called as soon as the workflow is undone. An order that ended before, for example by a cancel, has nothing to record. */
async function recordFailure(tx: PoolClient, ctx: Context, workflow: OrderWorkflow): Promise<void> {
  const order = await findOrder(tx, workflow.subjectId);
  if (!order || order.outcome !== null) return;
  const project = await lockProjectForWork(tx, order.project_id);
  if (project && isOvertaken(order, project)) return replaceOrder(tx, ctx, project, order);
  const reasons = [workflow.error ?? "The server did not do what it was asked."];
  await failOrder(tx, ctx, order, workflow.data.failure ?? { reasons, isCounted: false });
}
