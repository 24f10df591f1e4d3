import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { WithQueue } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { linesOf } from "../../engine/runs/await-run.ts";
import { listOutput } from "../../engine/runs/output.ts";
import { findRun } from "../../engine/runs/queries.ts";
import { awaitChange } from "../../engine/wait.ts";
import { certificateFiles } from "../../host/certificates/certificate.ts";
import { projectLayout } from "../../host/layout.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { lockPrepared } from "../projects/actions.ts";
import { findProject } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { queueCertificateCheck } from "../sites/certificate-queue.ts";
import { beginSiteChange, followSiteChange, rejection, serverAnswer } from "../sites/publish.ts";
import { switchSsl } from "../sites/ssl.ts";
import { certificateCapabilities } from "./capabilities.ts";
import { emitCertificate } from "./events.ts";
import { beginOrder, cancelOrder, isInstalling, isOvertaken, isSameSet, namesOf, startOrder } from "./orders.ts";
import {
  awaitCertificate,
  deleteCertificate,
  findCertificate,
  findCertificateState,
  findOpenOrder,
  findOrder,
  insertOrder,
  listCertificates,
  ordersChannel,
} from "./queries.ts";
import type { CertificateRequest, CertificateRow, CustomCertificateRequest, OrderReport, OrderRow } from "./schema.ts";
import { touchLeftovers } from "./targets.ts";
import { readUpload } from "./uploaded.ts";

// Reading ------------------------------------------------------------------------------------------------------------------

export async function showCertificates(ctx: RequestContext, projectId: number) {
  const certificates = await listCertificates(ctx.pool, ctx.actor, projectId);
  if (certificates.length === 0 && !(await findProject(ctx.pool, ctx.actor, projectId))) throw notFound("The project");
  return certificates.map(certificateRecord);
}

export async function showCertificate(ctx: RequestContext, projectId: number, id: number) {
  return certificateRecord(await getCertificate(ctx, projectId, id));
}

async function getCertificate(ctx: RequestContext, projectId: number, id: number): Promise<CertificateRow> {
  const certificate = await findCertificate(ctx.pool, ctx.actor, projectId, id);
  if (!certificate) throw notFound("The certificate");
  return certificate;
}

function certificateRecord(row: CertificateRow) {
  const { certificate, key } = certificateFiles(projectLayout(row.project_id), row.version);
  return { ...row, cert_path: certificate, cert_key_path: key };
}

// Issuing ------------------------------------------------------------------------------------------------------------------

/** The errors of a request for a certificate, beyond the schema. */
export async function checkRequest(
  ctx: RequestContext,
  { body }: { body: Partial<Static<typeof CertificateRequest>> },
): Promise<FieldErrors> {
  if (body.project_id === undefined) return {};
  const project = await findProject(ctx.pool, ctx.actor, body.project_id);
  if (!project) throw notFound("The project");
  const primary = project.site.domains.find((domain) => domain.is_primary);
  if (body.domain_id === undefined || primary?.id === body.domain_id) return {};
  return { domain_id: `The domain must be the project's primary one, ${primary?.domain_name} (${primary?.id}).` };
}

/** Orders a certificate for all names of a project, enables SSL, and returns the responses of the authority and the server. */
export async function requestCertificate(ctx: RequestContext, { project_id }: Static<typeof CertificateRequest>) {
  const order = await transaction(ctx.pool, async (tx) => {
    const project = await switchSsl(tx, await lockPrepared(tx, ctx, project_id), true);
    return orderAnew(tx, ctx, project, "issue");
  });
  return orderAnswer(await followOrder(ctx, order), 201);
}

/** Orders the next certificate now. The present one stays live during the order and if it fails. */
export async function renewCertificate(ctx: RequestContext, projectId: number, id: number) {
  const certificate = await getCertificate(ctx, projectId, id);
  await certificateCapabilities.refuse("renew", certificate);
  const { names } = certificate;
  const order = await transaction(ctx.pool, async (tx) => {
    const project = await switchSsl(tx, await lockPrepared(tx, ctx, projectId), true);
    return orderAnew(tx, ctx, project, isSameSet(names, namesOf(project)) ? "renewal" : "issue");
  });
  return orderAnswer(await followOrder(ctx, order), 200);
}

// An order under way for the same names is the one requested.
async function orderAnew(
  tx: PoolClient,
  ctx: RequestContext,
  project: PlacedProject,
  purpose: "issue" | "renewal",
): Promise<OrderRow> {
  const open = await findOpenOrder(tx, project.id);
  if (open && isOvertaken(open, project)) await giveUp(tx, ctx, project, open);
  endRehearsal();
  return beginOrder(tx, ctx, project, purpose);
}

// An installation removes the files of the previous certificate, so its end has to be recorded.
async function giveUp(tx: PoolClient, ctx: RequestContext, project: PlacedProject, open: OrderRow): Promise<void> {
  if (await isInstalling(tx, open)) throw certificateCapabilities.refusal("renew", "installing");
  await cancelOrder(tx, ctx, project, open);
}

// Uploading ----------------------------------------------------------------------------------------------------------------

/** The errors of an uploaded certificate. */
export async function checkUpload(
  ctx: RequestContext,
  { params, body }: { params: { projectId: number }; body: Partial<Static<typeof CustomCertificateRequest>> },
): Promise<FieldErrors> {
  const project = await findProject(ctx.pool, ctx.actor, params.projectId);
  if (!project) throw notFound("The project");
  if (body.certificate === undefined || body.private_key === undefined) return {};
  const read = readUpload(body as Static<typeof CustomCertificateRequest>, namesOf(project), new Date());
  return "errors" in read ? read.errors : {};
}

/** Serves a certificate from the user. Its key is sent to the server, then deleted here. */
export async function uploadCertificate(
  ctx: RequestContext,
  projectId: number,
  body: Static<typeof CustomCertificateRequest>,
) {
  const { order, warnings } = await transaction(ctx.pool, async (tx) => {
    const project = await switchSsl(tx, await lockPrepared(tx, ctx, projectId), true);
    const open = await findOpenOrder(tx, projectId);
    if (open) await giveUp(tx, ctx, project, open);
    endRehearsal();
    // The names may have changed since it was checked.
    const read = readUpload(body, namesOf(project), new Date());
    if ("errors" in read) throw invalid(read.errors);
    await awaitCertificate(tx, projectId);
    const begun = await insertOrder(tx, {
      projectId,
      serverId: project.site.front_server_id,
      purpose: "custom",
      names: namesOf(project),
      probe: "",
      chain: read.uploaded.chain,
      uploadedKey: ctx.secrets.encrypt(read.uploaded.key),
    });
    if (!begun) throw new Error(`Project ${projectId} is locked and has another open order`);
    await startOrder(tx, ctx, begun);
    await emitCertificate(tx, project);
    return { order: begun, warnings: read.uploaded.warnings };
  });
  return orderAnswer(await followOrder(ctx, order), 201, { warnings });
}

// Removing -----------------------------------------------------------------------------------------------------------------

/** Removes a project's certificate: the site is served over plain HTTP again. */
export async function removeCertificate(ctx: RequestContext, projectId: number) {
  const change = await transaction(ctx.pool, async (tx) => {
    const found = await lockPrepared(tx, ctx, projectId);
    const open = await findOpenOrder(tx, projectId);
    if (!(await findCertificateState(tx, projectId))) throw notFound("The certificate");
    endRehearsal();
    const project = await switchSsl(tx, found, false);
    if (open) await cancelOrder(tx, ctx, project, open);
    return beginSiteChange(tx, ctx, project, { before: { ssl_is_enabled: found.site.ssl_is_enabled } });
  });
  // A web server that refuses keeps the certificate, and its files.
  const report = await followSiteChange(ctx, change);
  if (report.refused !== undefined) {
    const data = { ssl_response: null, nginx_response: rejection(report.refused, report) };
    return { status: "failed" as const, message: report.refused, data };
  }
  await transaction(ctx.pool, async (tx) => {
    const project = await lockPrepared(tx, ctx, projectId);
    if (project.site.ssl_is_enabled) throw new AppError("conflict", "SSL was enabled again: the certificate stays.");
    await deleteCertificate(tx, projectId);
    await touchLeftovers(tx, ctx, projectId, project.site.front_server_id);
    await emitCertificate(tx, project);
  });
  if (report.outcome === undefined) {
    const message = "The certificate is being removed; the server has not answered yet.";
    return withStatus(202, success({ message, data: { ssl_response: null, nginx_response: null } }));
  }
  const ssl_response = { ok: true, system_output: ["The certificate is not renewed any more."] };
  const data = { ssl_response, nginx_response: serverAnswer(report) };
  return success({ message: "The certificate was removed. The site is served over HTTP.", data });
}

// For others ---------------------------------------------------------------------------------------------------------------

/**
 * After a move of the project to another server: ends an order for the former server. Unless the certificate was moved too, one
 * is ordered as soon as the names resolve to the new server. Called in the transaction of the move.
 */
export const reissueAfterMove = (tx: PoolClient, ctx: WithQueue, projectId: number): Promise<void> =>
  queueCertificateCheck(tx, ctx, projectId);

// Waiting ------------------------------------------------------------------------------------------------------------------

type Waiting = Pick<RequestContext, "config" | "pool" | "listener" | "signal">;

/** The outcome of an order, or of its replacement; at the timeout, the present state. */
async function followOrder(ctx: Waiting, begun: OrderRow): Promise<OrderReport> {
  const deadline = performance.now() + ctx.config.answerWithinSeconds * 1_000;
  let order = await untilEnded(ctx, begun, deadline);
  while (order.outcome === "cancelled" && performance.now() < deadline) {
    const next = await findOpenOrder(ctx.pool, order.project_id);
    if (!next) break;
    order = await untilEnded(ctx, next, deadline);
  }
  const run = order.install_run_id === null ? undefined : await findRun(ctx.pool, order.install_run_id);
  if (!run) return { order, installation: undefined };
  const output = linesOf((await listOutput(ctx.pool, run.id)).map(({ text }) => text));
  return { order, installation: { run, output } };
}

function untilEnded({ pool, listener, signal }: Waiting, begun: OrderRow, deadline: number): Promise<OrderRow> {
  const watched = {
    listener,
    channel: ordersChannel,
    payload: String(begun.id),
    look: async () => (await findOrder(pool, begun.id)) ?? { ...begun, outcome: "cancelled" as const },
    isSettled: ({ outcome }: OrderRow) => outcome !== null,
  };
  return awaitChange(watched, { timeoutMs: deadline - performance.now(), signal });
}

function orderAnswer({ order, installation }: OrderReport, status: number, more: { warnings?: string[] } = {}) {
  const { outcome, names, left_out: leftOut, log, error } = order;
  if (outcome === null) {
    const message = "The certificate is not there yet. The order continues in the background.";
    return withStatus(202, success({ message, data: { ssl_response: null, nginx_response: null }, ...more }));
  }
  const ok = outcome === "succeeded";
  const output = installation?.output ?? [];
  const data = {
    ssl_response: { ok, system_output: log },
    nginx_response: installation
      ? { ok: installation.run.state === "succeeded", system_output: output }
      : { ok: false, system_output: ["The web server was not given a certificate. It continues as it was."] },
  };
  if (ok) {
    const missing = leftOut.map(({ name, reason }) => `It does not cover ${name}: ${reason}`);
    const message = [`The certificate is served for ${names.join(", ")}.`, ...missing].join(" ");
    return withStatus(status, success({ message, data, ...more }));
  }
  const message = error ?? "The order was cancelled: the project has changed meanwhile.";
  return withStatus(200, { status: "failed" as const, message, data, ...more });
}
