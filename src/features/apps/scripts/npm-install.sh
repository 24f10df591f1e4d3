# shellcheck shell=bash disable=SC2016
# given: directory cache name version integrity
# Install scripts of packages are not run: no application of the catalog needs one.
cd -- "$directory"
printf '{"private": true}\n' > package.json
npm install --save-exact --ignore-scripts --omit=dev --no-audit --no-fund --no-update-notifier --loglevel=error \
  --cache="$cache/npm" -- "$name@$version"
found=$(node -p '
  const [name] = process.argv.slice(1);
  const { packages } = require(process.cwd() + "/package-lock.json");
  const { version, integrity } = packages["node_modules/" + name];
  `${version} ${integrity}`' "$name")
if [[ $integrity && $found != "$version $integrity" ]]; then
  fail "The checksum of $name $version is not the one that belongs to it (SHA-512): it was not used."
fi
echo "Installed $name ${found%% *} with $(find node_modules -name package.json -not -path '*/test/*' | wc -l) packages."
echo "Version ${found%% *}"
