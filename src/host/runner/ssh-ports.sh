# shellcheck shell=bash
# Prints the ports of sshd.

# Every port on which this server accepts SSH: the configured one and those it listens on, so that a rule made from
# them cannot lock out anyone.
ssh_ports() { # PORT
  {
    echo "$1"
    sshd -T 2>/dev/null | sed -n 's/^port //p'
    systemctl show --property=Listen --value ssh.socket 2>/dev/null | grep -oP ':\K[0-9]+(?= \(Stream\))' || true
  } | sort -nu
}
