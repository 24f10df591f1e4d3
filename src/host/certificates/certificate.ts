import type { ProjectLayout } from "../layout.ts";
import type { SiteTls } from "../nginx/model.ts";
import { putFile } from "../runner/functions.ts";
import { withPrelude } from "../runner/prelude.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/**
 * The directory of one certificate with its key. `version` is the order that produced it; an existing version is never
 * overwritten.
 */
export const certificateDirectory = (layout: ProjectLayout, version: number): string =>
  `${layout.certificates}/${version}`;

/** The files for nginx: the certificate with its chain, and the key that was created with it. */
export const certificateFiles = (layout: ProjectLayout, version: number): Pick<SiteTls, "certificate" | "key"> => ({
  certificate: `${certificateDirectory(layout, version)}/fullchain.pem`,
  key: `${certificateDirectory(layout, version)}/privkey.pem`,
});

/** A file that the site serves at `/.well-known/acme-challenge/NAME`. */
export interface ChallengeFile {
  name: string;
  content: string;
}

// Only root can enter these directories, from the first one on.
const makeDirectory = (layout: ProjectLayout, version: number): Script => sh`
  install -d -m 700 -o root -g root -- ${[layout.certificates, certificateDirectory(layout, version)]}`;

/**
 * Creates a key (ECDSA P-256) that stays on the server, and a certificate request signed with it: the fact `request`
 * holds the request, DER in base64. A repetition uses the same key.
 */
export function makeKeyAndRequest(layout: ProjectLayout, version: number, names: readonly string[]): Script {
  const { key } = certificateFiles(layout, version);
  return withPrelude(
    "The key of the certificate could not be made on the server.",
    lines(
      makeDirectory(layout, version),
      script("make-key.sh", { key, names: names.map((name) => `DNS:${name}`).join(",") }),
    ),
  );
}

/** Writes files where every site serves them. */
export const showChallenges = (layout: ProjectLayout, files: readonly ChallengeFile[]): Script =>
  withPrelude(
    "What the authority looks at could not be put on the server.",
    lines(
      ...files.map(
        ({ name, content }) => sh`${putFile} ${`${layout.acmeChallenges}/${name}`} 0644 ${content} > /dev/null`,
      ),
    ),
  );

/** Removes them. */
export const removeChallenges = (layout: ProjectLayout, names: readonly string[]): Script =>
  sh`rm -f -- ${names.map((name) => `${layout.acmeChallenges}/${name}`)}`;

/**
 * Writes the certificate beside its key, and refuses a certificate that does not match the key. `uploaded`: the key
 * comes with the certificate, as the secret `certificate-key`.
 */
export function putCertificate(
  layout: ProjectLayout,
  version: number,
  { chain, uploaded }: { chain: string; uploaded: boolean },
): Script {
  const { certificate, key } = certificateFiles(layout, version);
  return withPrelude(
    "The certificate could not be put on the server.",
    lines(
      makeDirectory(layout, version),
      uploaded && sh`install -m 600 -o root -g root -- "$LONGSHORE_SECRETS/certificate-key" ${key}`,
      sh`
        ${putFile} ${certificate} 0644 ${chain}
        if [ "$(openssl x509 -in ${certificate} -noout -pubkey)" != "$(openssl pkey -in ${key} -pubout)" ]; then
          fail "The certificate does not belong to the key on the server."
        fi`,
    ),
  );
}

export const removeCertificate = (layout: ProjectLayout, version: number): Script =>
  sh`rm -rf -- ${certificateDirectory(layout, version)}`;

/**
 * Requests every name from the web server, on the server itself, until it shows this certificate: only the served certificate
 * counts.
 */
export const checkServedCertificate = (layout: ProjectLayout, version: number, names: readonly string[]): Script =>
  withPrelude(
    "It could not be seen which certificate the web server shows.",
    script("check-served.sh", { certificate: certificateFiles(layout, version).certificate, names }),
  );

/**
 * Removes the certificates up to a version, except those to keep and the one that the site names now, whichever step wrote
 * it. Fails when the site names for five seconds a certificate that is not to be kept; the caller retries.
 */
export const removeOldCertificates = (
  layout: ProjectLayout,
  { keep, upTo }: { keep: readonly number[]; upTo: number },
): Script =>
  withPrelude(
    "The certificates of before could not be removed from the server.",
    script("remove-old.sh", {
      certificates: layout.certificates,
      site: layout.siteAvailable,
      keep,
      up_to: upTo,
    }),
  );
