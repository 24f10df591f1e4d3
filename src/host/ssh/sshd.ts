import { putFile } from "../runner/functions.ts";
import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

export const sshdFile = "/etc/ssh/sshd_config.d/10-longshore.conf";

// In sshd_config the first value wins, so the name sorts before cloud-init's 50-cloud-init.conf, which may allow passwords.
// MaxSessions: the control plane runs everything over one connection, with many channels at once. PerSourceMaxStartups:
// below MaxStartups, so that connections from one address do not keep the control plane out. TCPKeepAlive: ClientAlive does
// the same inside the encryption, where it cannot be forged. AllowTcpForwarding: `ssh -L` reaches the server's database; no
// client opens a port on the server. Root on the server could use a forwarded agent.
const settings = `# Longshore: a setting of your own belongs in a file whose name sorts before this one's: the first value counts.
X11Forwarding no
AllowAgentForwarding no
AllowTcpForwarding local
Compression no
UseDNS no
LoginGraceTime 30
MaxStartups 60:30:200
PerSourceMaxStartups 30
MaxSessions 200
TCPKeepAlive no
ClientAliveInterval 60
ClientAliveCountMax 2
`;

// The settings that lock out people who could log in before.
const keysOnly = `PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PermitEmptyPasswords no
`;

// The algorithms that ssh-audit's hardening guide leaves out, removed from OpenSSH's own lists: those grow with each
// version (8.9 on Ubuntu 22.04 lacks the post-quantum exchange of 9.9), and sshd rejects an unknown name. Removed are
// the NIST curves, groups of 2048 bits, SHA-1, tags of 64 bits, and MACs over data that is not encrypted yet.
const algorithms = `KexAlgorithms -ecdh-sha2-*,diffie-hellman-group14-*,diffie-hellman-group-exchange-*
MACs -umac-64*,umac-128@openssh.com,hmac-sha1*,hmac-sha2-256,hmac-sha2-512
`;
const withoutEcdsa = "HostKeyAlgorithms -ecdsa-*,sk-ecdsa-*,webauthn-sk-ecdsa-*\n";

/**
 * Hardens sshd, and disables passwords when a person's key opens the root account or an account that becomes root with sudo.
 * Without such a key, the machine's own password settings remain in force, and the script fails if those allow passwords. A
 * configuration that sshd rejects is reverted. `controlKey` (`ssh-ed25519 AAAA… comment`) lets the control plane in, and does not
 * count as a person's key; `pinnedHostKey` (`ssh-ed25519 AAAA…`) is the host key by which the control plane recognizes the
 * server.
 */
export const hardenSshd = (controlKey: string, pinnedHostKey = ""): Script =>
  script("harden-sshd.sh", {
    control_key: controlKey,
    file: sshdFile,
    // The control plane connects only to the key that it saw first, so that key has to stay.
    settings: settings + algorithms + (pinnedHostKey.startsWith("ecdsa-") ? "" : withoutEcdsa),
    keys_only: keysOnly,
  });

/**
 * Reverts sshd to the machine's own settings, for `set -e`; changes nothing where `hardenSshd` never ran. The file is kept
 * aside until sshd has read the rest, so that a repetition after an interruption finds what is left to do.
 */
export const restoreSshd: Script = script("restore-sshd.sh", { file: sshdFile });

// allports: for any port that sshd listens on. The journal's field is the program's name, which OpenSSH 9.8 changed.
const jail = (
  controlAddress: string | undefined,
): string => `# Longshore: an address that fails five times in ten minutes is shut out for an hour.
[DEFAULT]
banaction = nftables-multiport
banaction_allports = nftables-allports
ignoreip = ${["127.0.0.1/8", "::1", ...(controlAddress ? [controlAddress] : [])].join(" ")}

[sshd]
enabled = true
backend = systemd
banaction = nftables-allports
journalmatch = _SYSTEMD_UNIT=ssh.service + _COMM=sshd + _COMM=sshd-session
maxretry = 5
findtime = 10m
bantime = 1h
`;

export const jailFile = "/etc/fail2ban/jail.d/longshore.local";

/**
 * Written before fail2ban is installed: on a system that logs to the journal only, fail2ban does not start without it.
 * The control plane is never banned: it keeps connecting after its key was removed by mistake.
 */
export const writeJail = (controlAddress?: string): Script => sh`
  ${putFile} ${jailFile} 0600 ${jail(controlAddress)}
  chmod 0600 ${jailFile}
  echo "An address that fails five times in ten minutes is shut out for an hour."`;

export const startFail2ban: Script = script("start-fail2ban.sh", { file: jailFile });
