# shellcheck shell=bash
# given: certificates site keep up_to
# `certificates`: the directory; `keep`: versions; `up_to`: a version; `site`: its file.
kept=" ${keep[*]} "
for directory in "$certificates"/*/; do
  directory=${directory%/}
  version=${directory##*/}
  if [[ ! -d $directory || $kept = *" $version "* || ! $version =~ ^[0-9]+$ || $version -gt $up_to ]]; then continue; fi
  # A publication under way may be about to name another.
  for ((tries = 0; ; tries++)); do
    if ! grep -qsF "$directory/" "$site"; then break; fi
    if [ "$tries" = 50 ]; then fail "The web server still uses the certificate of before."; fi
    sleep 0.1
  done
  rm -rf -- "$directory"
done
rmdir --ignore-fail-on-non-empty -- "$certificates" 2> /dev/null || true
