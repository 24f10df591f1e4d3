# shellcheck shell=bash
# uses: runner/packages.sh
# given: packages
# Reads the package lists, unless nothing has to be installed.
if [ -z "$(missing_packages "${packages[@]}")" ]; then
  echo "Every package is installed already."
  exit
fi
output=$(mktemp)
# shellcheck disable=SC2034 # the prelude removes it
scratch=$output
deadline=$((SECONDS + 600))
until apt -o APT::Update::Error-Mode=any update 2>&1 | tee "$output"; do
  grep -q 'Could not get lock' "$output" || fail "The package lists could not be read; apt's own words are above."
  ((SECONDS < deadline)) || fail "Another program held the package lists for ten minutes."
  sleep 2
done
echo "The package lists are those of today."
