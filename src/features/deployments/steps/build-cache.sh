# shellcheck shell=bash disable=SC2034
# given: build_cache folders shared_folders largest
# Functions around a build. `build_cache`: a directory; `folders`: of build tools; `shared_folders`: those that processes read, too;
# `largest`: in bytes.

# In the directory that its name says: no part of the way is a link.
is_in_place() { [[ $(realpath -m -- "$1") = "$(pwd -P)/$1" ]]; }
size_of() { du -sh -- "$1" | cut -f 1; }
restore_build_cache() {
  local folder fresh=()
  for folder in "${folders[@]}"; do
    if [[ ! -e $folder && ! -L $folder ]] && is_in_place "$folder"; then fresh+=("$folder"); fi
  done
  folders=("${fresh[@]}")
  rm -rf -- "$build_cache.used"
  [[ -d $build_cache && ! -L $build_cache ]] || return 0
  mv -T -- "$build_cache" "$build_cache.used" || return 0
  echo "Restored the build cache of this branch ($(size_of "$build_cache.used"))."
  for folder in "${folders[@]}"; do
    [[ -d $build_cache.used/$folder && ! -L $build_cache.used/$folder ]] || continue
    mkdir -p -- "$(dirname -- "$folder")"
    mv -T -- "$build_cache.used/$folder" "$folder"
  done
  rm -rf -- "$build_cache.used"
  on_failure="The build began with the cache of earlier builds, which is not used again: the next deployment builds without it."
}
store_build_cache() {
  local folder part bytes
  rm -rf -- "$build_cache.new"
  for folder in "${folders[@]}"; do
    if [[ ! -d $folder || -L $folder ]] || ! is_in_place "$folder"; then continue; fi
    mkdir -p -- "$(dirname -- "$build_cache.new/$folder")"
    mv -T -- "$folder" "$build_cache.new/$folder"
    for part in "${shared_folders[@]}"; do
      if [[ $part = "$folder" ]]; then cp -a --reflink=auto -- "$build_cache.new/$folder" "$folder"
      elif [[ $part = "$folder"/* && -d $build_cache.new/$part && ! -L $build_cache.new/$part ]]; then
        mkdir -p -- "$folder"
        cp -a --reflink=auto -- "$build_cache.new/$part" "$part"
      fi
    done
  done
  [[ -d $build_cache.new ]] || return 0
  bytes=$(du -sB1 -- "$build_cache.new" | cut -f 1)
  if [[ ! $bytes =~ ^[0-9]{1,18}$ ]] || ((bytes > largest)); then
    echo "The build left a cache of $(size_of "$build_cache.new"), which is more than is kept: the next one begins without it."
    rm -rf -- "$build_cache.new"
    return 0
  fi
  rm -rf -- "$build_cache"
  mv -T -- "$build_cache.new" "$build_cache"
  echo "Stored the build cache of this branch ($(size_of "$build_cache"))."
}
