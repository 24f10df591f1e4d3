import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { AppError } from "../../lib/errors.ts";

/** What is served over HTTPS. */
export interface ServerCertificate {
  /** PEM. */
  key: string;
  /** The certificate with its chain, PEM. */
  chain: string;
}

/** Where the certificate comes from. */
export interface CertificateSource {
  /** The present one. `onChange` is called with each that takes its place, until `close`. */
  open(onChange: (certificate: ServerCertificate) => void): Promise<ServerCertificate>;
  close(): Promise<void>;
}

/** What the certificate authority asks for. */
export interface Challenges {
  /** The content of the file at `/.well-known/acme-challenge/TOKEN`. */
  findFile(token: string): Promise<string | undefined>;
  /** The certificate that proves a name over TLS-ALPN-01. */
  findCertificate(name: string): Promise<ServerCertificate | undefined>;
}

/** Mozilla's intermediate profile (version 5.7), as for the projects in host/nginx/tls.conf. Node has no ciphers of DHE without parameters. */
const profile = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.3",
  ciphers: [
    ...["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
    ...["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ...["ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384"],
    ...["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
  ].join(":"),
  ecdhCurve: "X25519:prime256v1:secp384r1",
  honorCipherOrder: false,
} as const satisfies SecureContextOptions;

export const tlsOptions = ({ key, chain }: ServerCertificate): SecureContextOptions => ({
  ...profile,
  key,
  cert: chain,
});

/** Whether a browser may be asked to insist on HTTPS: not with a certificate that signs itself, which it does not trust. */
export function mayBeTrusted({ chain }: ServerCertificate): boolean {
  const certificate = new X509Certificate(chain);
  return !certificate.checkIssued(certificate);
}

/** Throws AppError("configuration") with a sentence if it cannot be served, `from` naming where it comes from. */
export function checkServable(certificate: ServerCertificate, from: string): void {
  try {
    const key = createPrivateKey(certificate.key);
    if (!new X509Certificate(certificate.chain).checkPrivateKey(key)) {
      throw new AppError("configuration", `The key does not belong to the certificate of ${from}.`);
    }
    createSecureContext(tlsOptions(certificate));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("configuration", `The certificate or the key of ${from} cannot be read as PEM.`, { cause });
  }
}
