# shellcheck shell=bash
# uses: person-key.sh, runner/put-file.sh, runner/apply-changes.sh
# given: control_key file settings keys_only
# `file`: of the settings; `keys_only`: settings without passwords.
grep -qE '^ *Include +/etc/ssh/sshd_config.d/\*.conf' /etc/ssh/sshd_config ||
  fail "/etc/ssh/sshd_config does not include sshd_config.d, so it was left as it is."
mkdir -p /run/sshd
wanted=$settings
if account=$(person_key_opens "$control_key"); then wanted+=$keys_only; fi
had=
if [ -e "$file" ]; then had=$(cat "$file"); fi
put_file "$file" 0600 "$wanted"
if ! sshd -t; then
  if [ -n "$had" ]; then printf '%s\n' "$had" > "$file"; else rm -f "$file"; fi
  fail "sshd rejects the new settings (the reason is above); the former ones were put back."
fi
if systemctl is-active --quiet ssh.service; then apply_changes reload ssh.service "$file"; fi
# The machine's own settings take no passwords, such as on a server that Longshore ordered: nothing changes for a person.
if [ -z "$account" ] && effective=$(sshd -T) && grep -qix 'passwordauthentication no' <<< "$effective" &&
  grep -qix 'kbdinteractiveauthentication no' <<< "$effective"; then
  echo "SSH takes keys only, as the machine's own settings have it."
  exit
fi
[ -n "$account" ] ||
  fail "Passwords stay as they are over SSH: no key of a person opens root's account, or one with sudo. Longshore's own and" \
    "keys with options such as from= or command= do not count. Add yours to /root/.ssh/authorized_keys and run the setup again."
# No pipe: grep -q stops reading at the first match, and sshd would die of it.
grep -qix 'passwordauthentication no' <<< "$(sshd -T)" ||
  fail "Another file in /etc/ssh/sshd_config.d still allows passwords."
echo "SSH takes keys only; a person's key opens the account $account."
