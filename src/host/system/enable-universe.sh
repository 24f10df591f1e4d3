# shellcheck shell=bash
# uses: runner/put-file.sh
# Adds the universe component.
if grep -rqsE '^(deb|Components:).*\buniverse\b' /etc/apt/sources.list /etc/apt/sources.list.d; then
  echo "The universe component is enabled."
  exit
fi
# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
# From where the server gets its other packages: a mirror near it, or the only one it can reach. grep fails also when only one of the
# two is there.
mirror=$({ grep -rhsoE 'https?://[^] ]+/ubuntu(-ports)?/?' /etc/apt/sources.list /etc/apt/sources.list.d || true; } | sed -n 1p)
[ -n "$mirror" ] || fail "The server's apt sources name no Ubuntu mirror, so the universe component cannot be added."
put_file /etc/apt/sources.list.d/longshore-universe.list 0644 \
  "deb $mirror $codename universe
deb $mirror $codename-updates universe
deb $mirror $codename-security universe
"
echo "Enabled the universe component."
