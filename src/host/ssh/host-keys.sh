# shellcheck shell=bash
# Gives a new machine host keys of its own in place of the temporary one that it booted with, which everything on the machine
# can read. In two parts, each of which may run again: the new key is known to the control plane before sshd shows it.

next_host_keys=/etc/ssh/longshore-next

# Makes the new key, unless it was made before, and prints its public half.
make_host_key() {
  local key=$next_host_keys/ssh_host_ed25519_key
  install -d -m 700 "$next_host_keys"
  # Written beside: a key is whole or absent.
  if [[ ! -s $key.pub ]]; then
    rm -f "$key" "$next_host_keys/draft" "$next_host_keys/draft.pub"
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$next_host_keys/draft"
    mv -T "$next_host_keys/draft" "$key"
    mv -T "$next_host_keys/draft.pub" "$key.pub"
  fi
  sync "$next_host_keys" "$key" "$key.pub" 2>/dev/null || sync
  cut -d ' ' -f 1,2 "$key.pub"
}

# Makes sshd show the new key. cloud-init writes the temporary one during the boot, so its end comes first. What a machine
# inherits from the image of another one is removed: the keys of that one's host, and the control plane's key for it.
show_host_key() { # LOGIN_KEY
  local keys=/root/.ssh/authorized_keys next
  if command -v cloud-init >/dev/null; then timeout 240 cloud-init status --wait >/dev/null 2>&1 || true; fi
  if [[ -s $keys ]]; then
    next=$(mktemp "$keys.XXXXXX")
    { grep -vE '^ssh-ed25519 [^ ]+ longshore$' "$keys" || true; printf '%s\n' "$1"; } >"$next"
    chmod 600 "$next"
    mv -T "$next" "$keys"
  fi
  # An image of this machine must not contain the key, so the copy goes at the end; without it this was done before.
  if [[ -s $next_host_keys/ssh_host_ed25519_key ]]; then replace_host_keys; fi
  # Connections that are open stay. With socket activation nothing runs that has to be restarted.
  systemctl try-restart ssh.service sshd.service 2>/dev/null || true
  rm -rf "$next_host_keys"
}

replace_host_keys() {
  find /etc/ssh -maxdepth 1 -name 'ssh_host_*' ! -name 'ssh_host_ed25519_key*' -delete
  install -m 600 "$next_host_keys/ssh_host_ed25519_key" /etc/ssh/ssh_host_ed25519_key.new
  install -m 644 "$next_host_keys/ssh_host_ed25519_key.pub" /etc/ssh/ssh_host_ed25519_key.pub
  mv -T /etc/ssh/ssh_host_ed25519_key.new /etc/ssh/ssh_host_ed25519_key
}
