# shellcheck shell=bash
# uses: fetch-node.sh
# given: nodes version site
# Installs a version of Node. `nodes`: the directory of all versions; `site`: the download server; `version`: such as 24: the newest
# one, or 24.11.0.
if [[ $version == *.* ]]; then
  found=$version
else
  fetch "$site/index.json" index || fail "$site does not answer with a list of versions."
  found=$(grep -oE "\"version\": ?\"v${version}[.][0-9]+[.][0-9]+\"" index | grep -oE '[0-9]+[.][0-9]+[.][0-9]+' |
    sort -V | tail -n 1) || fail "$site has no version of Node $version."
fi
unpack
mv -T unpacked "$nodes/$found"
echo "Installed Node $found."
