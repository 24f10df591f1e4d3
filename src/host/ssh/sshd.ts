import { readFileSync } from "node:fs";
import { lines, type Script, sh } from "../sh.ts";

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

// The control plane connects only to the key that it saw first, so that key has to stay.
const sshdSettings = (pinnedHostKey: string): string =>
  settings + algorithms + (pinnedHostKey.startsWith("ecdsa-") ? "" : withoutEcdsa);

const personKeyOpens: Script = { script: readFileSync(new URL("person-key.sh", import.meta.url), "utf8") };

/**
 * Hardens sshd, and disables passwords when a person's key opens the root account or an account that becomes root with sudo.
 * Without such a key, the machine's own password settings remain in force, and the script fails if those allow passwords. A
 * configuration that sshd rejects is reverted. `controlKey` (`ssh-ed25519 AAAA… comment`) lets the control plane in, and does not
 * count as a person's key; `pinnedHostKey` (`ssh-ed25519 AAAA…`) is the host key by which the control plane recognizes the
 * server.
 */
export const hardenSshd = (controlKey: string, pinnedHostKey = ""): Script =>
  lines(
    personKeyOpens,
    sh`
      grep -qE '^ *Include +/etc/ssh/sshd_config.d/\\*.conf' /etc/ssh/sshd_config ||
        fail "/etc/ssh/sshd_config does not include sshd_config.d, so it was left as it is."
      mkdir -p /run/sshd
      wanted=${sshdSettings(pinnedHostKey)}
      if account=$(person_key_opens ${controlKey}); then wanted+=${keysOnly}; fi
      had=
      if [ -e ${sshdFile} ]; then had=$(cat ${sshdFile}); fi
      put_file ${sshdFile} 0600 "$wanted"
      if ! sshd -t; then
        if [ -n "$had" ]; then printf '%s\\n' "$had" > ${sshdFile}; else rm -f ${sshdFile}; fi
        fail "sshd rejects the new settings (the reason is above); the former ones were put back."
      fi
      if systemctl is-active --quiet ssh.service; then apply_changes reload ssh.service ${sshdFile}; fi
      # The machine's own settings take no passwords, such as on a server that Longshore ordered: nothing changes for a person.
      if [ -z "$account" ] && effective=$(sshd -T) && grep -qix 'passwordauthentication no' <<< "$effective" &&
        grep -qix 'kbdinteractiveauthentication no' <<< "$effective"; then
        echo "SSH takes keys only, as the machine's own settings have it."
        exit
      fi
      [ -n "$account" ] ||
        fail "Passwords stay as they are over SSH: no key of a person opens root's account, or one with sudo. Longshore's own and" \\
          "keys with options such as from= or command= do not count. Add yours to /root/.ssh/authorized_keys and run the setup again."
      # No pipe: grep -q stops reading at the first match, and sshd would die of it.
      grep -qix 'passwordauthentication no' <<< "$(sshd -T)" ||
        fail "Another file in /etc/ssh/sshd_config.d still allows passwords."
      echo "SSH takes keys only; a person's key opens the account $account."`,
  );

/**
 * Reverts sshd to the machine's own settings, for `set -e`; changes nothing where `hardenSshd` never ran. The file is kept
 * aside until sshd has read the rest, so that a repetition after an interruption finds what is left to do.
 */
export const restoreSshd: Script = sh`
  if [ -e ${sshdFile} ]; then mv -T ${sshdFile} ${`${sshdFile}.removed`}; fi
  if [ -e ${`${sshdFile}.removed`} ]; then
    mkdir -p /run/sshd
    sshd -t
    if systemctl is-active --quiet ssh.service; then systemctl reload ssh.service; fi
    rm ${`${sshdFile}.removed`}
  fi`;

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
  put_file ${jailFile} 0600 ${jail(controlAddress)}
  chmod 0600 ${jailFile}
  echo "An address that fails five times in ten minutes is shut out for an hour."`;

export const startFail2ban: Script = sh`
  need_packages fail2ban python3-systemd
  apply_changes restart fail2ban.service ${jailFile}
  for ((tries = 0; tries < 100; tries++)); do
    if fail2ban-client status sshd > /dev/null 2>&1; then
      echo "fail2ban watches sshd."
      exit
    fi
    sleep 0.1
  done
  systemctl status --no-pager --lines=20 fail2ban.service || true
  fail "fail2ban does not watch sshd; its own words are above."`;
