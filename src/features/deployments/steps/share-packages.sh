# shellcheck shell=bash
# uses: kept-packages.sh
# given: live_link slots former_release
# Deletes packages that another release has. `slots`: the directory; `former_release`: or empty.
cd -- "$releases_directory" || exit
live=$(readlink -- "$live_link") || live=''
live=${live##*/}
# Of jobs and commands that began in a release before, too.
running=$(readlink -- /proc/[0-9]*/cwd "$slots"/* 2> /dev/null | sed 's|^\.\./releases/|'"$PWD"'/|; s|$|/|') || true
runs() { [[ "$running" = *"$PWD/$1/"* ]]; }
mapfile -t names < <(printf '%s\n' "$live" "$former_release"; printf '%s\n' * | sort -rn)
declare -A holders=() seen=()
rm -rf -- "$package_cache/given-up"
given=0
for name in "${names[@]}"; do
  if [[ ! $name =~ ^[0-9]+$ || ${seen[$name]-} ]] || ! packages_of "$PWD/$name"; then continue; fi
  seen[$name]=yes
  own=$packages wanted=$key
  if [[ ! -e $own ]]; then
    # The one that had them is behind it now.
    if [[ ! ${holders[$wanted]-} ]] && from=$(holder_of "$wanted"); then
      if [[ $from = "$PWD"/* ]] && { part=${from#"$PWD/"}; ! runs "${part%%/*}"; }; then mv -T -- "$from" "$own"
      else cp -a --reflink=auto -- "$from" "$own.new" && mv -T -- "$own.new" "$own"; fi
      touch -- "$name/$package_note"
      holders[$wanted]=$name
    fi
    continue
  fi
  are_as_installed "$PWD/$name" || continue
  if [[ ! ${holders[$wanted]-} ]]; then
    holders[$wanted]=$name
  elif [[ $name != "$live" ]] && ! runs "$name"; then
    # At once: a part of them would pass for all.
    mkdir -p -- "$package_cache/given-up"
    mv -T -- "$own" "$package_cache"/given-up/"$name"
    given=$((given + 1))
  fi
done
# What a release has need not be in the cache as well.
for wanted in "${!holders[@]}"; do
  if [[ -e $package_cache/$wanted ]]; then mv -T -- "$package_cache/$wanted" "$package_cache"/given-up-"$wanted"; rm -rf -- "$package_cache"/given-up-"$wanted"; fi
done
rm -rf -- "$package_cache/given-up"
((given == 0)) || echo "The packages of earlier releases are kept once: $given of them gave up their copy."
