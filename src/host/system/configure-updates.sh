# shellcheck shell=bash
# uses: runner/put-file.sh
# given: settings periods
put_file /etc/apt/apt.conf.d/60longshore-unattended-upgrades 0644 "$settings"
put_file /etc/apt/apt.conf.d/61longshore-periodic 0644 "$periods"
for timer in apt-daily.timer apt-daily-upgrade.timer; do
  # Masking is a decision of the server's owner.
  if [ "$(systemctl is-enabled "$timer" || true)" = masked ]; then
    echo "Skipped: $timer is masked on this server, so updates stay its owner's business."
    exit
  fi
  systemctl enable --quiet --now "$timer"
done
grep -q 'Unattended-Upgrade::\(Origins-Pattern\|Allowed-Origins\)::.*[Ss]ecurity' <<< "$(apt-config dump)" ||
  fail "unattended-upgrades names no security archive in /etc/apt/apt.conf.d/50unattended-upgrades."
echo "Security updates are installed every day."
