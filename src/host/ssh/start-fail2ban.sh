# shellcheck shell=bash
# uses: runner/packages.sh, runner/apply-changes.sh
# given: file
# `file`: of the jail.
need_packages fail2ban python3-systemd
apply_changes restart fail2ban.service "$file"
for ((tries = 0; tries < 100; tries++)); do
  if fail2ban-client status sshd > /dev/null 2>&1; then
    echo "fail2ban watches sshd."
    exit
  fi
  sleep 0.1
done
systemctl status --no-pager --lines=20 fail2ban.service || true
fail "fail2ban does not watch sshd; its own words are above."
