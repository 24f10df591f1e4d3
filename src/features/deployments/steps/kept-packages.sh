# shellcheck shell=bash
# given: package_note package_cache releases_directory
# Functions that find the packages of releases.

packages_of() { # RELEASE
  key='' packages=''
  [[ -f $1/$package_note && ! -L $1/$package_note ]] || return 1
  read -r key packages < "$1/$package_note" || return 1
  [[ $key =~ ^node-[0-9a-f]{64}$ && $packages =~ ^/ && ! $packages =~ (^|/)\.\.(/|$) ]] || return 1
  packages=$1$packages
}
are_as_installed() { # RELEASE
  packages_of "$1" && [[ -d $packages && ! -L $packages ]] || return 1
  [[ ! $(find "$packages" -mindepth 1 \( -path "$packages/.cache" -o -path "$packages/.vite" -o -path "$packages/.astro" \) -prune -o \
    -cnewer "$1/$package_note" -print -quit) ]]
}
holder_of() { # KEY
  local key packages release
  if [[ -d $package_cache/$1/node_modules ]]; then echo "$package_cache/$1/node_modules"; return; fi
  for release in "$releases_directory"/*/; do
    release=${release%/}
    if packages_of "$release" && [[ $key = "$1" ]] && are_as_installed "$release"; then echo "$packages"; return; fi
  done
  return 1
}
