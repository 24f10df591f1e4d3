import { firstUid, lastUid, type ProjectLayout, serverPaths } from "../layout.ts";
import { putFile } from "../runner/functions.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { companionDistance, companionsOf, projectPorts } from "../systemd/sandbox.ts";
import { freePortProgram } from "../systemd/unit.ts";

const script = scriptsBeside(import.meta.url);

// Ownership of a project's ports, on the loopback device: only the project, nginx and root can connect to them, and
// only the project answers on them. When another process takes a port while the project's process is down, nothing
// connects to it.

const table = "inet longshore_ports";

/**
 * The table of rules, for the server's nftables.conf: it is replaced as a whole, with the ports of all projects. The owner
 * of a listening socket is known from the packet that accepts a connection, so the rules match that packet.
 */
export const portTable = `table ${table}
delete table ${table}
table ${table} {
  set ports { type inet_service; }
  set owners { typeof meta skuid . tcp dport; }
  # Of processes that finish their last requests. A port is forgotten in time, whatever becomes of the deployment that named it.
  set draining { type inet_service; flags timeout; }
  chain output {
    type filter hook output priority filter; policy accept;
    oifname "lo" tcp dport @ports tcp flags & (syn | ack) == syn jump connecting
    oifname "lo" tcp sport @ports tcp flags & (syn | ack) == (syn | ack) jump answering
  }
  chain connecting {
    meta skuid "www-data" tcp dport @draining reject with tcp reset
    meta skuid { 0, "www-data" } accept
    meta skuid . tcp dport @owners accept
    reject with tcp reset
  }
  chain answering {
    meta skuid 0 accept
    meta skuid . tcp sport @owners accept
    drop
  }
}
include "${serverPaths.portRules}/*.nft"
`;

// Where the kernel does not enforce SocketBindDeny= (control groups v1), a process of another project can hold the port.
// The script ends its whole unit, since a process that takes the port in a loop would have it back before the owner has
// started.
const freePort = lines(
  sh`
    #!/bin/bash
    # Longshore: ends what listens on a project's port and is another project's. PORT USER`,
  script("free-port.sh", {
    first_uid: firstUid,
    last_uid: lastUid,
    companion_distance: companionDistance,
    first_port: projectPorts[0],
  }),
);

/** Assigns a pair of ports with its companions to a project, from now on and after each boot. With `put_file`. */
export function claimPorts({ uid, portRules }: ProjectLayout, pair: readonly number[]): Script {
  const ports = [...pair, ...companionsOf(pair)];
  const rules = `# Longshore
add element ${table} ports { ${ports.join(", ")} }
add element ${table} owners { ${ports.map((port) => `${uid} . ${port}`).join(", ")} }
`;
  return sh`
    ${putFile} ${freePortProgram} 0755 ${`${freePort.script}\n`}
    ${putFile} ${portRules} 0600 ${rules}
    nft --file ${portRules} ||
      echo "This server's firewall does not keep the project's ports for it: run the server's setup again."`;
}

/** Releases a project's ports. */
export const releasePorts = (layout: ProjectLayout): Script => sh`
  if [[ -e ${layout.portRules} ]]; then
    sed 's/^add element/delete element/' ${layout.portRules} | nft --file - || true
    rm -f -- ${layout.portRules}
  fi`;
