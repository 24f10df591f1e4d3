# shellcheck shell=bash
# uses: runner/fact.sh
# given: program url sha256
if ! sha256sum --check --status <<< "$sha256  $program" 2> /dev/null; then
  mkdir -p "${program%/*}"
  scratch=$(mktemp "$program.XXXXXX")
  curl -fsSL --retry 3 --connect-timeout 15 --max-time 900 -o "$scratch" -- "$url" ||
    fail "Meilisearch could not be fetched from $url."
  sha256sum --check --status <<< "$sha256  $scratch" ||
    fail "What came from $url is not what its checksum says."
  chmod 755 "$scratch"
  mv -T "$scratch" "$program"
fi
version=$("$program" --version | grep -oE '[0-9.]+' | head -n 1)
fact search_version "$version"
echo "Meilisearch is installed."
