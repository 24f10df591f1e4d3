import { serverPaths } from "../layout.ts";
import { applyChanges } from "../runner/functions.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { portTable } from "./ports.ts";

const script = scriptsBeside(import.meta.url);

/** A port that only some addresses may reach: `from` are IPv4 or IPv6 addresses or networks; an empty list closes it. */
export interface PeerPort {
  port: number;
  from: readonly string[];
}

export interface FirewallRules {
  /** The port on which the control plane reaches the server. The ports on which sshd listens are open as well. */
  sshPort: number;
  /** Open to everyone. */
  publicPorts: readonly number[];
  /** Also opened for UDP: HTTP/3. */
  publicUdpPorts?: readonly number[];
  peerPorts?: readonly PeerPort[];
}

export const firewallFile = "/etc/nftables.conf";

// The kernel replaces the table in one transaction, so there is no moment without rules and none without SSH. Only our
// own table: fail2ban, Docker and others keep theirs. It has no rules for forwarding.
const head = `#!/usr/sbin/nft -f
# Longshore: what reaches this server. Rules of your own belong into /etc/nftables.d/*.nft, in the chain's syntax.
table inet longshore
delete table inet longshore
`;

const body = (rules: FirewallRules): string =>
  [
    "table inet longshore {",
    "  chain input {",
    "    type filter hook input priority filter; policy drop;",
    "    ct state established,related accept",
    "    ct state invalid drop",
    '    iifname "lo" accept',
    // ICMP and ICMPv6, by number because /etc/protocols may be missing. IPv6 does not work without ICMPv6.
    "    meta l4proto { 1, 58 } accept",
    "    udp sport 67 udp dport 68 accept",
    "    ip6 saddr fe80::/10 udp dport 546 accept",
    "    tcp dport $ssh_ports accept",
    ...portRule("tcp", rules.publicPorts),
    ...portRule("udp", rules.publicUdpPorts ?? []),
    ...(rules.peerPorts ?? []).flatMap(peerRules),
    '    include "/etc/nftables.d/*.nft"',
    "  }",
    "}",
    portTable,
  ].join("\n");

const portRule = (protocol: string, ports: readonly number[]): string[] =>
  ports.length === 0 ? [] : [`    ${protocol} dport { ${ports.join(", ")} } accept`];

function peerRules({ port, from }: PeerPort): string[] {
  const addresses = from.filter((address) => /^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/.test(address));
  const families = [
    ["ip", addresses.filter((address) => !address.includes(":"))],
    ["ip6", addresses.filter((address) => address.includes(":"))],
  ] as const;
  return families.flatMap(([family, members]) =>
    members.length === 0 ? [] : [`    ${family} saddr { ${members.join(", ")} } tcp dport ${port} accept`],
  );
}

/** Writes the rules, with the ports on which sshd actually listens, and lets nft check them without loading them. */
export const writeFirewall = (rules: FirewallRules): Script =>
  script("write-firewall.sh", {
    ssh_port: rules.sshPort,
    port_rules: serverPaths.portRules,
    file: firewallFile,
    head,
    body: body(rules),
  });

/** Loads the rules now and at every boot, and verifies that they are in force. */
export const activateFirewall: Script = lines(
  sh`
    ${applyChanges} reload nftables.service ${firewallFile} /etc/nftables.d
    # Another program may have flushed everything since: what counts is what the kernel has.
    nft list chain inet longshore input > /dev/null 2>&1 || nft --file ${firewallFile}
    grep -q 'policy drop' <<< "$(nft list chain inet longshore input)" ||
      fail "The firewall's rules did not reach the kernel; this server's ports are not guarded."`,
  sh`
    if command -v ufw > /dev/null && grep -q '^Status: active' <<< "$(ufw status)"; then
      echo "ufw is active too and may close ports that are open here."
    fi
    echo "Everything but the open ports is dropped."`,
);
