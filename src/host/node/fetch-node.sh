# shellcheck shell=bash
# given: nodes site found
# Fetches a version of Node. `nodes`: the directory of all versions; `site`: the download server.

# `fetch ADDRESS FILE`, and a directory for the downloads.
case $(uname -m) in
  x86_64) architecture=x64 ;;
  aarch64) architecture=arm64 ;;
  *) fail "Node is not available for $(uname -m)." ;;
esac
fetch() { curl -fsSL --retry 3 --connect-timeout 15 --max-time 900 -o "$2" -- "$1"; }
scratch=$(mktemp -d "$nodes/.fetch.XXXXXX")
cd "$scratch" || exit

# Leaves the version in `found` as `unpacked`, after a test run.
unpack() {
  local address line file installed
  address=$site/v$found
  fetch "$address/SHASUMS256.txt" sums || fail "$address holds no Node $found."
  # gzip is part of every system; xz may not be there yet.
  line=$(grep -F " node-v$found-linux-$architecture.tar.gz" sums ||
    grep -F " node-v$found-linux-$architecture.tar.xz" sums) ||
    fail "$address has no Node for linux-$architecture."
  file=${line##* }
  fetch "$address/$file" "$file" || fail "$file could not be fetched from $address."
  sha256sum --check --status <<< "$line" ||
    fail "$file from $address is not what its checksum says and was thrown away."
  mkdir unpacked
  tar -xf "$file" -C unpacked --strip-components=1 --no-same-owner
  installed=$(unpacked/bin/node --version) || fail "Node $found does not start on this server."
  [ "$installed" = "v$found" ] || fail "$file holds Node $installed."
  chmod 755 unpacked
}
