# shellcheck shell=bash
# uses: runner/put-file.sh, runner/ssh-ports.sh
# given: ssh_port port_rules file head body
# `port_rules`: the directory for those of projects; `head` and `body`: of the rules.
ports=$(ssh_ports "$ssh_port" | paste -sd ,)
mkdir -p /etc/nftables.d "$port_rules"
rules="${head}define ssh_ports = { $ports }
$body"
scratch=$(mktemp)
printf '%s' "$rules" > "$scratch"
nft --check --file "$scratch" ||
  fail "This server's kernel refuses the firewall's rules (the reason is above); its ports stay as they were."
put_file "$file" 0700 "$rules"
chmod 0700 "$file"
echo "SSH is open on $ports."
