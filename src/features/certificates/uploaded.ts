import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { FieldErrors } from "../../lib/errors.ts";

/** A certificate that a customer uploaded, with its key, as it is sent to the server. */
export interface Uploaded {
  /** PEM, the certificate first, then its issuers. */
  chain: string;
  /** PEM (PKCS #8). */
  key: string;
}

/** The errors of an upload for a site that answers to `names`, by field; or the parsed upload. */
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
  const [certificate] = certificates as [X509Certificate];
  const wrong = certificateError(certificates, names, now);
  if (wrong) errors.certificate = wrong;
  if (!certificate.checkPrivateKey(key)) errors.private_key = "The private key does not belong to the certificate.";
  if (Object.keys(errors).length > 0) return { errors };
  const chain = certificates.map((each) => each.toString().trim()).join("\n");
  return {
    uploaded: {
      chain: `${chain}\n`,
      key: key.export({ type: "pkcs8", format: "pem" }) as string,
    },
  };
}

function certificateError(chain: readonly X509Certificate[], names: readonly string[], now: Date): string | undefined {
  const [certificate] = chain as [X509Certificate];
  if (Date.parse(certificate.validTo) <= now.getTime()) {
    return `The certificate has expired on ${dayOf(certificate.validTo)}.`;
  }
  if (Date.parse(certificate.validFrom) > now.getTime()) {
    return `The certificate is not valid before ${dayOf(certificate.validFrom)}.`;
  }
  const missing = names.filter((name) => !certificate.checkHost(name));
  if (missing.length > 0) return `The certificate does not cover ${missing.join(", ")}.`;
  const stray = chain.findIndex((each, at) => at > 0 && !chain[at - 1]?.checkIssued(each));
  if (stray > 0) return `Certificate ${stray + 1} of the chain did not sign the one before it.`;
  return undefined;
}

const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const mostCertificates = 10;

/** The certificates of a PEM text, or an error as a sentence. */
function readCertificates(text: string): X509Certificate[] | string {
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0) return "The certificate must be PEM: a text that begins with -----BEGIN CERTIFICATE-----.";
  if (blocks.length > mostCertificates) return `The certificate must have at most ${mostCertificates} in its chain.`;
  try {
    return blocks.map((each) => new X509Certificate(each));
  } catch {
    return "The certificate cannot be read.";
  }
}

const unreadable =
  "The private key must be PEM without a password: a text that begins with -----BEGIN PRIVATE KEY-----.";

function readKey(text: string): KeyObject | string {
  try {
    const key = createPrivateKey(text);
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === "rsa")
      return modulusLength >= 2048 ? key : "The private key needs at least 2048 bits.";
    return key.asymmetricKeyType === "ec" ? key : "The private key must be RSA or ECDSA.";
  } catch {
    return unreadable;
  }
}
