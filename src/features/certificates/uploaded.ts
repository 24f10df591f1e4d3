import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import type { FieldErrors } from "../../lib/errors.ts";

/** A certificate that a customer uploaded, with its key, as it is sent to the server. */
export interface Uploaded {
  /** PEM, the certificate first, then its issuers without the root. */
  chain: string;
  /** PEM (PKCS #8). */
  key: string;
  /** What clients may refuse, as sentences. */
  warnings: string[];
}

/**
 * The errors of an upload for a site that answers to `names`, by field; or the parsed upload. The certificate is the one that the key
 * belongs to, wherever it stands, and the chain is put in order.
 */
export function readUpload(
  given: { certificate: string; private_key: string },
  names: readonly string[],
  now: Date,
): { errors: FieldErrors } | { uploaded: Uploaded } {
  const certificates = readCertificates(given.certificate);
  const key = readKey(given.private_key);
  const errors: FieldErrors = {};
  if (typeof certificates === "string") errors.certificate = certificates;
  if (typeof key === "string") errors.private_key = key;
  if (typeof certificates === "string" || typeof key === "string") return { errors };
  const own = certificates.filter((each) => each.checkPrivateKey(key)).sort(byEnd);
  const certificate = own.find((each) => certificateError(each, names, now) === undefined) ?? own[0];
  if (!certificate) {
    const subject = certificates.length > 1 ? "any of the certificates" : "the certificate";
    return { errors: { private_key: `The private key does not belong to ${subject}.` } };
  }
  const chain = chainOf(certificate, certificates);
  const wrong = certificateError(certificate, names, now) ?? chainError(chain, certificates, now);
  if (wrong) return { errors: { certificate: wrong } };
  return {
    uploaded: {
      chain: `${chain.map((each) => each.toString().trim()).join("\n")}\n`,
      key: key.export({ type: "pkcs8", format: "pem" }) as string,
      warnings: chainWarnings(chain, certificates),
    },
  };
}

/** The one that is valid longest first. */
const byEnd = (one: X509Certificate, other: X509Certificate): number =>
  Date.parse(other.validTo) - Date.parse(one.validTo);

function certificateError(certificate: X509Certificate, names: readonly string[], now: Date): string | undefined {
  if (Date.parse(certificate.validTo) <= now.getTime()) {
    return `The certificate has expired on ${dayOf(certificate.validTo)}.`;
  }
  if (Date.parse(certificate.validFrom) > now.getTime()) {
    return `The certificate is not valid before ${dayOf(certificate.validFrom)}.`;
  }
  const missing = names.filter((name) => !certificate.checkHost(name));
  return missing.length > 0 ? `The certificate does not cover ${missing.join(", ")}.` : undefined;
}

const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);

// The chain ----------------------------------------------------------------------------------------------------------------

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isRoot = (certificate: X509Certificate): boolean => isIssuedBy(certificate, certificate);

/**
 * The certificate and its issuers in order, without a root: clients have it, or trust none that is sent. A root that issued the
 * certificate itself stays, since the web server needs the issuer to ask for OCSP responses.
 */
function chainOf(certificate: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [certificate];
  for (let last = certificate; ; ) {
    const issuer = all.find((each) => !chain.includes(each) && !isRoot(each) && isIssuedBy(last, each));
    if (issuer === undefined || isRoot(last)) break;
    chain.push(issuer);
    last = issuer;
  }
  const root = all.find((each) => each !== certificate && isRoot(each) && isIssuedBy(certificate, each));
  return root && chain.length === 1 ? [certificate, root] : chain;
}

function chainError(chain: readonly X509Certificate[], all: readonly X509Certificate[], now: Date): string | undefined {
  const expired = chain.find((each) => Date.parse(each.validTo) <= now.getTime());
  if (expired) return `The issuer ${nameOf(expired)} has expired on ${dayOf(expired.validTo)}.`;
  // Not those of another way to a root, which authorities send along.
  const stray = all.findIndex(
    (each) =>
      !chain.includes(each) &&
      !each.publicKey.equals((chain[0] as X509Certificate).publicKey) &&
      !chain.some((member) => isIssuedBy(member, each) || member.subject === each.subject),
  );
  if (stray === -1) return undefined;
  const sentence = "signed none of the others. Leave it out, and send the certificate with its issuers.";
  return `Certificate ${stray + 1} (${nameOf(all[stray] as X509Certificate)}) ${sentence}`;
}

let roots: X509Certificate[] | undefined;

/** The roots that browsers trust, from Node's list. */
function knownRoots(): X509Certificate[] {
  roots ??= rootCertificates.map((each) => new X509Certificate(each));
  return roots;
}

/** A chain has to lead to a root: to one that was sent, too, or to one that all browsers trust. */
function chainWarnings(chain: readonly X509Certificate[], all: readonly X509Certificate[]): string[] {
  const last = chain.at(-1) as X509Certificate;
  const isComplete =
    all.some((each) => isRoot(each) && isIssuedBy(last, each)) ||
    chain.some((member) => knownRoots().some((root) => isIssuedBy(member, root)));
  if (isComplete) return [];
  return [
    `The chain ends at ${nameOf(last)}: the certificate of its issuer, ${nameOf(last, "issuer")}, is missing. Unless that is a root ` +
      "that all visitors trust, browsers and other clients refuse the site. Upload it again with the intermediate " +
      "certificates of the authority.",
  ];
}

/** The common name of its subject or issuer, or what there is. */
function nameOf(certificate: X509Certificate, which: "subject" | "issuer" = "subject"): string {
  const lines = (certificate[which] ?? "").split("\n");
  const name = lines.find((line) => line.startsWith("CN="))?.slice(3) ?? lines.join(", ");
  return name.replaceAll(/\p{Cc}/gu, " ").slice(0, 100) || "a certificate without a name";
}

// Pasted texts -------------------------------------------------------------------------------------------------------------

interface Block {
  /** Such as `CERTIFICATE`. */
  label: string;
  /** Base64 with line breaks; with the headers of older encrypted keys. */
  content: string;
}

/**
 * The PEM blocks of a text with anything between them, also with escaped or missing line breaks and indented. Base64 without its
 * first and last line is one block.
 */
function blocksOf(text: string, bareLabel: string): Block[] {
  const lines = text.replaceAll("\\r", "").replaceAll("\\n", "\n");
  if (/^\s*MI[A-Za-z0-9+/=\s]+$/.test(lines)) return [{ label: bareLabel, content: lines }];
  return Array.from(
    lines.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*(?:-[^-]+)*)-----END \1-----/g),
    (found) => ({
      label: found[1] as string,
      content: found[2] as string,
    }),
  );
}

const pemOf = (label: string, content: string): string => {
  const base64 = content.replaceAll(/[^A-Za-z0-9+/=]/g, "").replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
};

const mostCertificates = 10;

/** The certificates of a text, each once, or an error as a sentence. */
function readCertificates(text: string): X509Certificate[] | string {
  const blocks = blocksOf(text, "CERTIFICATE");
  const certificates = blocks.filter(({ label }) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(label));
  if (certificates.length === 0) return noCertificate(blocks);
  if (certificates.length > mostCertificates)
    return `The certificate must have at most ${mostCertificates} in its chain.`;
  const read = new Map<string, X509Certificate>();
  for (const [at, { label, content }] of certificates.entries()) {
    try {
      const certificate = new X509Certificate(pemOf(label.replace("X509 ", ""), content));
      read.set(certificate.fingerprint256, read.get(certificate.fingerprint256) ?? certificate);
    } catch {
      return certificates.length === 1 ? "The certificate cannot be read." : `Certificate ${at + 1} cannot be read.`;
    }
  }
  return [...read.values()];
}

function noCertificate(blocks: readonly Block[]): string {
  const labels = blocks.map(({ label }) => label);
  if (labels.some((label) => label.endsWith("CERTIFICATE REQUEST"))) {
    return "This is a request for a certificate (CSR): send the certificate that the authority made of it.";
  }
  if (labels.some((label) => label.endsWith("PRIVATE KEY"))) return "This is a private key, not a certificate.";
  if (labels.some((label) => /^(PKCS7|CMS)$/.test(label))) {
    return "This is PKCS #7: send what openssl pkcs7 -print_certs makes of it.";
  }
  return "The certificate must be PEM: a text that begins with -----BEGIN CERTIFICATE-----.";
}

const unreadable =
  "The private key must be PEM without a password: a text that begins with -----BEGIN PRIVATE KEY-----.";
const locked =
  "The private key has a password: send it without a password, as openssl pkey -in KEY makes it when it has asked for it.";

function readKey(text: string): KeyObject | string {
  const blocks = blocksOf(text, "PRIVATE KEY");
  const block = blocks.find(({ label }) => /^(RSA |EC |ENCRYPTED )?PRIVATE KEY$/.test(label));
  if (!block) return noKey(blocks);
  const { label, content } = block;
  if (label.startsWith("ENCRYPTED") || /^\s*Proc-Type:.*ENCRYPTED/m.test(content)) return locked;
  try {
    const key = createPrivateKey(pemOf(label, content));
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === "rsa")
      return modulusLength >= 2048 ? key : "The private key needs at least 2048 bits.";
    return key.asymmetricKeyType === "ec" ? key : "The private key must be RSA or ECDSA.";
  } catch {
    return unreadable;
  }
}

function noKey(blocks: readonly Block[]): string {
  const labels = blocks.map(({ label }) => label);
  if (labels.includes("OPENSSH PRIVATE KEY"))
    return "This is a key for SSH: send the one that the certificate was requested with.";
  if (labels.some((label) => label.endsWith("PUBLIC KEY")))
    return "This is a public key: send the private key that belongs to it.";
  if (labels.some((label) => label.includes("CERTIFICATE")))
    return "This is a certificate or a request for one, not a private key.";
  return unreadable;
}
