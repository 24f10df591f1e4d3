# shellcheck shell=bash
# given: file
# `file`: of the settings.
if [ -e "$file" ]; then mv -T "$file" "$file.removed"; fi
if [ -e "$file.removed" ]; then
  mkdir -p /run/sshd
  sshd -t
  if systemctl is-active --quiet ssh.service; then systemctl reload ssh.service; fi
  rm "$file.removed"
fi
