import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { createRun } from "../../engine/runs.ts";
import { frontSite } from "../projects/on-server.ts";
import { installKind, type ProjectRow } from "../projects/schema.ts";
import { findFrontPublication } from "../projects/web-server.ts";
import { continueOrder, isOvertaken, replaceOrder } from "./orders.ts";
import { challengeFilesOf, installPlan } from "./plans.ts";
import { moveOrder } from "./queries.ts";
import type { OrderRow } from "./schema.ts";

// How a server gets a certificate that exists, and how that is verified.

/** Begins the run that installs, in the transaction that made the order ready for it; or waits for the run under way. */
export async function beginInstallation(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  project: ProjectRow,
  order: OrderRow,
): Promise<void> {
  const active = await findFrontPublication(tx, project);
  if (active && active.id === order.run_id) return;
  if (isOvertaken(order, project)) return replaceOrder(tx, ctx, project, order);
  // Its end has this looked at again; the job is for the case that this is lost.
  if (active) return continueOrder(tx, ctx, order.id, 2);
  const chain = order.chain as string;
  const certificate = { version: order.id, names: order.names, offers_ocsp: offersOcsp(chain) };
  const plan = installPlan({
    id: order.id,
    chain,
    uploaded: order.purpose === "custom",
    site: frontSite({ ...project, certificate }),
    former: frontSite(project),
    challenges: challengeFilesOf(order),
  });
  const run = { serverId: order.server_id, kind: installKind, subjectId: order.project_id, plan };
  // It may have ended since it was read.
  if (!(await moveOrder(tx, order.id, "install", "install"))) return;
  await moveOrder(tx, order.id, "install", "install", { runId: await createRun(tx, ctx.queue, run) });
}

/** Whether the issuer of a certificate offers OCSP. */
export const offersOcsp = (chain: string): boolean => /^OCSP - URI:/m.test(new X509Certificate(chain).infoAccess ?? "");

/** Checks from here which certificate visitors of an address get, and describes it in a sentence. */
export async function viewFromHere(address: string | undefined, { names, chain }: OrderRow): Promise<string> {
  const [name = ""] = names;
  const seen = address && (await certificateAt(address, name).catch(() => undefined));
  return outsideView(name, seen || undefined, new X509Certificate(chain as string).fingerprint256);
}

const outsideView = (name: string, seen: string | undefined, wanted: string): string => {
  if (seen === undefined) return `Port 443 of the server does not answer from here: have its firewall looked at.`;
  if (seen === wanted) return `${name} is answered with the certificate, as seen from here.`;
  return `From here ${name} is answered with another certificate: something before the server answers for it.`;
};

function certificateAt(host: string, servername: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // Only which certificate it is matters, not whom this machine trusts.
    const socket = connect({ host, port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.setTimeout(2_000, () => socket.destroy(new Error("no answer")));
    socket.on("error", reject);
  });
}
