import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { pollUntil } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { certificateRequest, keyToPem, newCertificateKey, selfSignedCertificate } from "../lib/x509.ts";
import { AcmeClient, type Authorization } from "../providers/acme/client.ts";
import { renewedFile } from "./certificate-unit.ts";
import type { ServiceLayout } from "./layout.ts";
import { certificateFile } from "./nginx-site.ts";
import { replaceFile } from "./replace-file.ts";

// The certificate of the site of nginx that leads to Longshore: files that nginx reads.

/** Authorities ask for a renewal in the last third of a certificate's time. */
const renewInLast = 1 / 3;
/** How long one that this machine signed itself lasts. */
const ownDays = 90;
const patienceMs = 120_000;
const everyMs = 1_000;

/** Whether the authority should issue another certificate: none is there, it is of other names, made here, or in its last third. */
export function isRenewalDue(chain: string | undefined, names: readonly string[], now = new Date()): boolean {
  if (chain === undefined) return true;
  const certificate = new X509Certificate(chain);
  const from = certificate.validFromDate.getTime();
  const until = certificate.validToDate.getTime();
  const isOurs = certificate.issuer === certificate.subject;
  const isOfAll = names.every((name) => certificate.checkHost(name) !== undefined);
  return isOurs || !isOfAll || now.getTime() > until - (until - from) * renewInLast;
}

/**
 * Puts a certificate that this machine signs itself where nginx reads it, unless one of these names is there: nginx does not start
 * without one.
 */
export async function ensureCertificate(layout: ServiceLayout, names: readonly string[]): Promise<void> {
  await mkdir(layout.tls, { recursive: true, mode: 0o700 });
  const chain = await readFile(certificateFile(layout), "utf8").catch(() => undefined);
  if (chain !== undefined && names.every((name) => new X509Certificate(chain).checkHost(name) !== undefined)) return;
  const key = newCertificateKey();
  const notBefore = new Date();
  const notAfter = new Date(notBefore.getTime() + ownDays * 86_400_000);
  await putCertificate(layout, selfSignedCertificate({ names, key, notBefore, notAfter }), keyToPem(key));
}

/**
 * Orders a certificate if it is due, over HTTP-01 with files that nginx serves, and asks for a reload of nginx. Returns whether it
 * has got one. Throws with the authority's reason.
 */
export async function renewCertificate(
  layout: ServiceLayout,
  config: Config,
  names: readonly string[],
): Promise<boolean> {
  const chain = await readFile(certificateFile(layout), "utf8").catch(() => undefined);
  if (!isRenewalDue(chain, names)) return false;
  await mkdir(layout.tls, { recursive: true, mode: 0o700 });
  const client = await openAccount(layout, config);
  try {
    const key = newCertificateKey();
    await putCertificate(layout, await order(client, layout, names, certificateRequest(names, key)), keyToPem(key));
    await writeFile(join(layout.challenges, renewedFile), "");
    return true;
  } finally {
    client.close();
  }
}

async function openAccount({ tls }: ServiceLayout, config: Config): Promise<AcmeClient> {
  const file = join(tls, "account.pem");
  if (!existsSync(file)) await replaceFile(file, keyToPem(newCertificateKey()), 0o600);
  const trusted = config.acmeTrustFile && (await readFile(config.acmeTrustFile, "utf8"));
  const client = new AcmeClient({
    directoryUrl: config.acmeDirectory,
    accountKey: await readFile(file, "utf8"),
    trusted,
  });
  const { acmeExternalKeyId: keyId, acmeExternalKey: key } = config;
  await client.register(config.acmeContact, keyId && key ? { keyId, key } : undefined);
  return client;
}

/** Resolves with the chain that the authority issued for the request. */
async function order(
  client: AcmeClient,
  layout: ServiceLayout,
  names: readonly string[],
  request: Buffer,
): Promise<string> {
  const ordered = await client.newOrder(names);
  for (const url of ordered.authorizations) await prove(client, layout, url);
  await client.finalize(ordered, request.toString("base64"));
  const done = await pollUntil(
    async () => {
      const { status, certificate, error } = await client.getOrder(ordered.url);
      if (status === "invalid") throw error ?? refused(`The order for ${names.join(", ")} failed.`);
      return certificate;
    },
    { timeoutMs: patienceMs, everyMs },
  );
  if (done === undefined) throw refused("The authority has not issued the certificate in time.");
  return client.download(done);
}

/** Answers the authority over HTTP until it has accepted the name. */
async function prove(client: AcmeClient, { challenges }: ServiceLayout, url: string): Promise<void> {
  const { status, challenge, name } = await client.getAuthorization(url);
  if (status === "valid") return;
  if (challenge === undefined) throw refused(`The authority offers no proof over HTTP for ${name}.`);
  const file = join(challenges, challenge.token);
  await writeFile(file, client.keyAuthorization(challenge.token));
  await chmod(file, 0o644);
  try {
    await client.respond(challenge.url);
    const ended = await pollUntil(
      async () => {
        const now = await client.getAuthorization(url);
        return now.status === "pending" ? undefined : now;
      },
      { timeoutMs: patienceMs, everyMs },
    );
    if (ended?.status !== "valid") throw rejection(name, ended);
  } finally {
    await rm(file, { force: true });
  }
}

function rejection(name: string, ended: Authorization | undefined): AppError {
  const reason = ended?.challenge?.error?.message ?? (ended ? `It is ${ended.status}.` : "It did not answer in time.");
  return refused(`The authority did not accept ${name}: ${reason}`);
}

const refused = (message: string): AppError => new AppError("unavailable", message);

const putCertificate = (layout: ServiceLayout, chain: string, key: string): Promise<void> =>
  replaceFile(certificateFile(layout), `${chain.trim()}\n${key}`, 0o600);
