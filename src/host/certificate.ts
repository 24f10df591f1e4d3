import type { ProjectLayout } from "./layout.ts";
import type { SiteTls } from "./nginx/site.ts";
import { withPrelude } from "./runner/prelude.ts";
import { lines, type Script, sh } from "./sh.ts";

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
      sh`
        umask 077
        key=${key}
        if [ ! -s "$key" ]; then
          openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key.new"
          mv -T -- "$key.new" "$key"
        fi
        request=$(openssl req -new -sha256 -key "$key" -subj / -addext ${`subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`} \\
          -outform DER | base64 -w 0)
        fact request "$request"
        echo "Made a key (ECDSA P-256) that stays on the server."`,
    ),
  );
}

/** Writes files where every site serves them. */
export const showChallenges = (layout: ProjectLayout, files: readonly ChallengeFile[]): Script =>
  withPrelude(
    "What the authority looks at could not be put on the server.",
    lines(
      ...files.map(
        ({ name, content }) => sh`put_file ${`${layout.acmeChallenges}/${name}`} 0644 ${content} > /dev/null`,
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
        put_file ${certificate} 0644 ${chain}
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
    sh`
      fingerprint() { openssl x509 -noout -fingerprint -sha256 2> /dev/null || true; }
      wanted=$(fingerprint < ${certificateFiles(layout, version).certificate})
      for name in ${names}; do
        for ((tries = 0; ; tries++)); do
          # nginx may be absent for an instant: that is an attempt like any other.
          served=$({ timeout 10 openssl s_client -connect 127.0.0.1:443 -servername "$name" < /dev/null 2> /dev/null || true; } | fingerprint)
          if [ "$served" = "$wanted" ]; then break; fi
          if [ "$tries" = 40 ]; then
            if [ -z "$served" ]; then fail "The web server shows no certificate for $name."; fi
            fail "The web server shows another certificate for $name."
          fi
          sleep 0.05
        done
        echo "The web server shows the certificate for $name."
      done`,
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
    sh`
      kept=" "${keep.join(" ")}" "
      for directory in ${layout.certificates}/*/; do
        directory=\${directory%/}
        version=\${directory##*/}
        if [[ ! -d $directory || $kept = *" $version "* || ! $version =~ ^[0-9]+$ || $version -gt ${upTo} ]]; then continue; fi
        # A publication under way may be about to name another.
        for ((tries = 0; ; tries++)); do
          if ! grep -qsF "$directory/" ${layout.siteAvailable}; then break; fi
          if [ "$tries" = 50 ]; then fail "The web server still uses the certificate of before."; fi
          sleep 0.1
        done
        rm -rf -- "$directory"
      done
      rmdir --ignore-fail-on-non-empty -- ${layout.certificates} 2> /dev/null || true`,
  );
