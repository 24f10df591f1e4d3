import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from "./der.ts";

// Certificates that sign themselves, and requests for certificates (RFC 5280, RFC 2986), which node:crypto reads and does not write.

const oids = {
  commonName: "2.5.4.3",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  acmeIdentifier: "1.3.6.1.5.5.7.1.31",
  extensionRequest: "1.2.840.113549.1.9.14",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
};

/** A new private key, ECDSA P-256. */
export const newCertificateKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** PKCS #8, PEM. */
export const keyToPem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }) as string;

export interface SelfSigned {
  /** DNS names. */
  names: readonly string[];
  /** The private key, ECDSA P-256. */
  key: KeyObject;
  notBefore: Date;
  notAfter: Date;
  /**
   * The key authorization that it proves the control of its name with over TLS-ALPN-01 (RFC 8737): then it has the extension
   * acmeIdentifier and is good for nothing else.
   */
  keyAuthorization?: string;
}

/** A certificate that its own key signs, PEM. */
export function selfSignedCertificate({ names, key, notBefore, notAfter, keyAuthorization }: SelfSigned): string {
  const proof = keyAuthorization === undefined ? [] : [acmeIdentifier(keyAuthorization)];
  const extensions = [
    extension(oids.basicConstraints, { isCritical: true }, sequence()),
    extension(oids.extendedKeyUsage, {}, sequence(objectIdentifier(oids.serverAuth))),
    subjectAltName(names),
    ...proof,
  ];
  const name = commonName("Longshore");
  const content = sequence(
    explicit(0, integer(2n)),
    // Random, and positive with the length that RFC 5280 allows.
    integer(BigInt(`0x1${randomBytes(15).toString("hex")}`)),
    algorithm(),
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey(key),
    explicit(3, sequence(...extensions)),
  );
  return pem("CERTIFICATE", signed(content, key));
}

/** A request for a certificate with these DNS names and the key, ECDSA P-256: DER. */
export function certificateRequest(names: readonly string[], key: KeyObject): Buffer {
  const asked = sequence(objectIdentifier(oids.extensionRequest), set(sequence(subjectAltName(names))));
  return signed(sequence(integer(0n), sequence(), publicKey(key), explicit(0, asked)), key);
}

/** SHA-256 of a certificate as browsers show it: `AB:CD:…`. `raw`: its DER. */
export const fingerprintOf = (raw: Buffer): string =>
  createHash("sha256")
    .update(raw)
    .digest("hex")
    .toUpperCase()
    .replace(/..(?!$)/g, "$&:");

const algorithm = (): Buffer => sequence(objectIdentifier(oids.ecdsaWithSha256));

const commonName = (name: string): Buffer =>
  sequence(set(sequence(objectIdentifier(oids.commonName), utf8String(name))));

const publicKey = (key: KeyObject): Buffer => createPublicKey(key).export({ type: "spki", format: "der" });

const extension = (oid: string, { isCritical = false }: { isCritical?: boolean }, value: Buffer): Buffer =>
  sequence(objectIdentifier(oid), ...(isCritical ? [boolean(true)] : []), octetString(value));

const subjectAltName = (names: readonly string[]): Buffer =>
  extension(oids.subjectAltName, {}, sequence(...names.map((name) => implicit(2, Buffer.from(name, "ascii")))));

const acmeIdentifier = (keyAuthorization: string): Buffer => {
  const digest = createHash("sha256").update(keyAuthorization).digest();
  return extension(oids.acmeIdentifier, { isCritical: true }, octetString(digest));
};

const signed = (content: Buffer, key: KeyObject): Buffer =>
  sequence(content, algorithm(), bitString(sign("sha256", content, key)));

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;
