import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { certificateFile, loadConfig } from "../config.ts";
import { AppError } from "../lib/errors.ts";
import { keyToPem, newCertificateKey, selfSignedCertificate } from "../lib/x509.ts";
import { readAs } from "./account-files.ts";
import type { PlannedFile } from "./installation.ts";
import { type ServiceLayout, serviceUser } from "./layout.ts";
import { findAccount } from "./machine.ts";
import { findSiteNames, putIntoNginx } from "./nginx.ts";
import { readSettings } from "./settings-file.ts";

// The certificate of the site of nginx. The service orders, renews and keeps it; nginx, which reads files as root, has a copy of its own.

/** How long one that this machine signed itself lasts: the service's takes its place in seconds. */
const ownDays = 90;

const blocks = /-----BEGIN (CERTIFICATE|PRIVATE KEY)-----[\w+/=\s]+-----END \1-----/g;

/** The certificate with its chain, and its key, as nginx reads them; undefined if they are not one of these names. */
export function servableText(text: string, names: readonly string[]): string | undefined {
  const found = Array.from(text.matchAll(blocks), ([block, kind]) => ({ block, kind }));
  const chain = found.filter(({ kind }) => kind === "CERTIFICATE").map(({ block }) => block);
  const key = found.find(({ kind }) => kind === "PRIVATE KEY")?.block;
  if (chain[0] === undefined || key === undefined) return undefined;
  try {
    const certificate = new X509Certificate(chain[0]);
    const isOfAll = names.every((name) => certificate.checkHost(name) !== undefined);
    if (!isOfAll || !certificate.checkPrivateKey(createPrivateKey(key))) return undefined;
  } catch {
    return undefined;
  }
  return `${[...chain, key].join("\n")}\n`;
}

/** The file that nginx needs to start: what is there, if it is of these names, or one that this machine signs itself. */
export async function planCertificate(
  { siteCertificate }: ServiceLayout,
  names: readonly string[],
): Promise<PlannedFile> {
  const there = servableText(await readFile(siteCertificate, "utf8").catch(() => ""), names);
  return { path: siteCertificate, text: there ?? selfSigned(names), mode: 0o600 };
}

function selfSigned(names: readonly string[]): string {
  const key = newCertificateKey();
  const notBefore = new Date();
  const notAfter = new Date(notBefore.getTime() + ownDays * 86_400_000);
  return `${selfSignedCertificate({ names, key, notBefore, notAfter }).trim()}\n${keyToPem(key).trim()}\n`;
}

/**
 * Has nginx show the certificate that the service keeps. Returns whether it is another one. Throws AppError("unavailable") if the
 * service has none of the site's names, and AppError("refused") if nginx refuses it: then nginx keeps the former one.
 */
export async function showCertificate(layout: ServiceLayout): Promise<boolean> {
  const names = (await findSiteNames(layout)) ?? [];
  const account = await findAccount(serviceUser);
  const file = certificateFile(loadConfig(await readSettings(layout.settings)));
  const text = account && servableText((await readAs(account, file)) ?? "", names);
  if (names.length === 0 || text === undefined) {
    throw new AppError(
      "unavailable",
      `${file} is no certificate with its key for ${names.join(", ") || "a site of nginx"}.`,
    );
  }
  return putIntoNginx([{ path: layout.siteCertificate, text, mode: 0o600 }]);
}
