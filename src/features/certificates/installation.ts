import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import type { PhaseRun, Workflow } from "../../engine/workflow/workflow.ts";
import { announce } from "../notifications/actions.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import { frontSite } from "../sites/front.ts";
import { installKind } from "../sites/schema.ts";
import { siteSecrets } from "../sites/secrets.ts";
import { findPublicSiteRun } from "../sites/target.ts";
import { renewalTime } from "./authority/renewal.ts";
import { emitCertificate } from "./events.ts";
import { nextTry } from "./orders.ts";
import { challengeFilesOf, installPlan } from "./plans.ts";
import { activateCertificate, findCertificateState, findUploadedKey } from "./queries.ts";
import type { OrderData, OrderRow } from "./schema.ts";

// Installs an issued certificate on a server, and verifies it.

/** The run that installs a certificate; undefined while another run changes the site. */
export async function planInstallation(
  tx: PoolClient,
  project: PlacedProject,
  order: OrderRow,
): Promise<PhaseRun | undefined> {
  if (await findPublicSiteRun(tx, project)) return undefined;
  const chain = order.chain as string;
  const certificate = { version: order.id, names: order.names, offers_ocsp: offersOcsp(chain) };
  const plan = installPlan({
    id: order.id,
    chain,
    uploaded: order.purpose === "custom",
    site: frontSite({ ...project, site: { ...project.site, certificate } }),
    former: frontSite(project),
    challenges: challengeFilesOf(order),
  });
  return { serverId: order.server_id, ...installKind, subjectId: project.id, plan };
}

/** The uploaded key, and the secrets for publishing the site. */
export async function installSecrets(
  ctx: Context,
  { subjectId, data }: Pick<Workflow<OrderData>, "subjectId" | "data">,
): Promise<RunSecrets> {
  const key = (await findUploadedKey(ctx.pool, subjectId))?.uploaded_key;
  const site = await siteSecrets(ctx, data.projectId);
  return { files: { ...site, ...(key ? { "certificate-key": ctx.secrets.decrypt(key) } : {}) }, masked: [] };
}

/** Records that the server serves the certificate of an order. */
export async function recordServed(
  tx: PoolClient,
  ctx: Context,
  project: PlacedProject,
  order: OrderRow,
): Promise<void> {
  const { validFromDate: notBefore, validToDate: notAfter } = new X509Certificate(order.chain as string);
  const isCustom = order.purpose === "custom";
  const { left_out: leftOut } = order;
  const before = await findCertificateState(tx, project.id);
  const retryAt = leftOut.length > 0 ? nextTry((before?.failures ?? 0) + 1, { isCounted: true }) : null;
  await activateCertificate(tx, {
    projectId: project.id,
    serverId: order.server_id,
    version: order.id,
    source: isCustom ? "custom" : "acme",
    names: order.names,
    offersOcsp: offersOcsp(order.chain as string),
    notBefore,
    notAfter,
    renewAt: isCustom ? null : renewalTime(notBefore, notAfter),
    leftOut,
    retryAt,
  });
  await emitCertificate(tx, project);
  if (leftOut.length > 0 && !before?.announced_at) await announceLeftOut(tx, ctx, project, order);
  if (order.purpose !== "renewal") return;
  await announce(tx, ctx, {
    organizationId: project.organization_id,
    topic: "certificate.renewed",
    title: `The certificate of ${project.name} was renewed`,
    text: `It holds until ${notAfter.toISOString().slice(0, 10)}.`,
    data: { project_id: project.id, project_name: project.name, expires_at: notAfter.toISOString() },
  });
}

const announceLeftOut = (tx: PoolClient, ctx: Context, project: ProjectRow, { left_out }: OrderRow): Promise<void> =>
  announce(tx, ctx, {
    organizationId: project.organization_id,
    topic: "certificate.failed",
    title: `The certificate of ${project.name} leaves out ${left_out.map(({ name }) => name).join(", ")}`,
    text: [...left_out.map(({ reason }) => reason), "It is ordered again when they lead to the server."].join("\n"),
    data: { project_id: project.id, project_name: project.name, left_out },
  });

/** Whether the issuer of a certificate offers OCSP. */
export const offersOcsp = (chain: string): boolean => /^OCSP - URI:/m.test(new X509Certificate(chain).infoAccess ?? "");

/** Connects to an address from the control plane, and describes the certificate that visitors get, in a sentence. */
export async function viewFromHere(address: string | undefined, { names, chain }: OrderRow): Promise<string> {
  const [name = ""] = names;
  const seen = address && (await certificateAt(address, name).catch(() => undefined));
  if (!seen) return "Port 443 of the server does not answer from here: have its firewall looked at.";
  const { fingerprint256: wanted } = new X509Certificate(chain as string);
  if (seen === wanted) return `${name} is answered with the certificate, as seen from here.`;
  return `From here ${name} is answered with another certificate: something before the server answers for it.`;
}

function certificateAt(host: string, servername: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // Only the identity of the certificate matters here, not its trust.
    const socket = connect({ host, port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.setTimeout(2_000, () => socket.destroy(new Error("no answer")));
    socket.on("error", reject);
  });
}
