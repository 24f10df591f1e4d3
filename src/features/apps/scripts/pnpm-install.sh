# shellcheck shell=bash disable=SC2016
# given: directory cache name version integrity locked overrides pnpm integrities
# Installs a package with the pnpm that Longshore ships; install scripts are not run.
mkdir -p -- "$cache/pnpm"
cd -- "$cache/pnpm"
program=@pnpm/exe.linux-$(node -p process.arch)
tool=$cache/pnpm/node_modules/$program/pnpm
if [[ ! -x $tool ]]; then
  printf '{"private": true}\n' > package.json
  npm install --save-exact --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error \
    --cache="$cache/npm" -- "$program@$pnpm"
fi
found=$(node -p '
  const { version, integrity } = require(process.cwd() + "/package-lock.json").packages[process.argv[1]];
  `${version} ${integrity}`' "node_modules/$program")
if [[ " ${integrities[*]} " != *" ${found#* } "* || $found != "$pnpm "* ]]; then
  rm -rf -- "$cache/pnpm"
  fail "The checksum of pnpm $pnpm is not the one that belongs to it (SHA-512): it was not used."
fi
pnpm() {
  # Whatever version of pnpm the package requires.
  CI=true pnpm_config_pm_on_fail=ignore "$tool" "$@" --prod --ignore-scripts --store-dir="$cache/pnpm-store" --reporter=append-only
}
mismatch() { fail "The checksum of $name $version is not the one that belongs to it (SHA-512): it was not used."; }

cd -- "$directory"
if [[ $locked ]]; then
  # The package ships a lock file, so its checksum also covers every package that it needs.
  scratch=$cache/package
  rm -rf -- "$scratch"
  mkdir -- "$scratch"
  npm pack --ignore-scripts --no-update-notifier --loglevel=error --cache="$cache/npm" --pack-destination="$scratch" \
    -- "$name@$version" > /dev/null
  archive=("$scratch"/*.tgz)
  found=sha512-$(openssl dgst -sha512 -binary -- "${archive[0]}" | base64 --wrap=0)
  [[ ! $integrity || $found = "$integrity" ]] || mismatch
  tar --extract --gzip --no-same-owner --strip-components=1 --file="${archive[0]}"
  rm -rf -- "$scratch"
  pnpm install --frozen-lockfile
  file=package.json
else
  printf '{"private": true}\n' > package.json
  ((${#overrides[@]} == 0)) || { echo overrides:; printf '  %s\n' "${overrides[@]}"; } > pnpm-workspace.yaml
  pnpm add --save-exact "$name@$version"
  [[ ! $integrity ]] || grep -F -A 1 "  $name@$version:" pnpm-lock.yaml | grep -F "integrity: $integrity}" > /dev/null || mismatch
  file=node_modules/$name/package.json
fi
found=$(node -p 'require(`${process.cwd()}/${process.argv[1]}`).version' "$file")
echo "Installed $name $found with $(find node_modules/.pnpm -mindepth 1 -maxdepth 1 | wc -l) packages."
echo "Version $found"
