import { dirname } from "node:path";
import type { Step } from "../../engine/runs/plan.ts";
import { certificateDirectory, certificateFiles } from "../../host/certificates/certificate.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import { fact } from "../../host/runner/functions.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { askSource, copying, type SourceAddress } from "./destination.ts";
import { noSuchFile, type Transit } from "./transit.ts";

// The files of a project that only root can read: its certificate with the key, its deploy key, and the host keys of its git
// server. Each file has its own request word, and is copied from server to server over the move's connection, not through the
// control plane.

/**
 * Copies them before anything refers to them. `certificate`: version of the one that the source serves; the fact of that name
 * shows that it was copied.
 */
export const copyKeys = (transit: Transit, source: SourceAddress, certificate: number | undefined): Step => ({
  ...copying(
    "copy-keys",
    "Copy keys",
    "The project's keys could not be copied.",
    lines(
      askSource(source),
      take,
      sh`
        umask 022
        mkdir -p -- ${dirname(transit.layout.directory)}
        [[ -d ${transit.layout.directory} ]] || install -d -o root -g root -m 750 ${transit.layout.directory}
        take known-hosts ${transit.layout.knownHosts} 644
        take deploy-key.pub ${transit.layout.deployKey}.pub 644
        take deploy-key ${transit.layout.deployKey} 600`,
      certificate === undefined ? undefined : copyCertificate(transit.layout, source, certificate),
    ),
  ),
  facts: { certificate: "number" },
});

// A file that is missing on the source is not created here either. These files do not change, so they are not copied again while
// visitors wait.
const take = sh`
  take() { # WORDS PATH MODE
    local status=0 new=$2.moving
    if [[ -s $2 ]]; then return; fi
    (umask 077 && : > "$new")
    # More than a key, a certificate or a list of hosts has.
    from_source "$1" | head -c 1000000 > "$new" || status=$?
    if [[ $status != 0 ]]; then
      rm -f -- "$new"
      [[ $status = ${noSuchFile} ]]
      return
    fi
    chmod "$3" "$new"
    mv -T -- "$new" "$2"
  }`;

function copyCertificate(layout: ProjectLayout, source: SourceAddress, version: number): Script {
  const { certificate, key } = certificateFiles(layout, version);
  return sh`
    install -d -o root -g root -m 700 -- ${[layout.certificates, certificateDirectory(layout, version)]}
    take ${`certificate ${version} fullchain.pem`} ${certificate} 644
    take ${`certificate ${version} privkey.pem`} ${key} 600
    if [[ ! -s ${certificate} || ! -s ${key} || $(openssl x509 -in ${certificate} -noout -pubkey) != "$(openssl pkey -in ${key} -pubout)" ]]; then
      fail ${`${source.name} does not have the project's certificate with its key. Renew or remove it, and move the project again.`}
    fi
    ${fact} certificate ${version}
    echo "Copied the certificate with its key."`;
}
