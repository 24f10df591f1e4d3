# shellcheck shell=bash
# given: nodes package_managers found
# Installs pnpm and yarn beside the npm of the version in `found`. `nodes`: the directory of all versions; `package_managers`: lines
# of a package with its version, and its SHA-512.
prefix=$nodes/$found
PATH=$prefix/bin:$PATH
missing=()
declare -A checksums=()
while read -r package checksum; do
  checksums[$package]=$checksum
  [ -e "$prefix/bin/${package%@*}" ] || missing+=("$package")
done <<< "$package_managers"
if [ "${#missing[@]}" = 0 ]; then
  echo "pnpm and yarn are installed."
  exit
fi
# With npm's cache, which nothing else uses.
scratch=$(mktemp -d)
quietly=(--cache "$scratch/cache" --no-progress --no-update-notifier --loglevel=error)
npm pack "${quietly[@]}" --pack-destination "$scratch" -- "${missing[@]}" > /dev/null ||
  fail "npm could not install ${missing[*]} from $(npm config get registry); its own words are above."
for package in "${missing[@]}"; do
  sha512sum --check --status <<< "${checksums[$package]}  $scratch/${package/@/-}.tgz" ||
    fail "$package from $(npm config get registry) is not what its checksum says and was not installed."
done
npm install --global --prefix "$prefix" "${quietly[@]}" --ignore-scripts --no-audit --no-fund -- "$scratch"/*.tgz ||
  fail "npm could not install ${missing[*]}; its own words are above."
pnpm --version > /dev/null || fail "pnpm is installed but does not start."
yarn --version > /dev/null || fail "yarn is installed but does not start."
echo "Installed ${missing[*]}."
