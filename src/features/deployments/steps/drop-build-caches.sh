# shellcheck shell=bash
# given: build_caches most_days most_bytes
# Removes the build caches that were not used for the longest time. `build_caches`: the directory.
if [[ -d $build_caches && ! -L $build_caches ]]; then
  cd -P -- "$build_caches" || exit
  find . -mindepth 1 -maxdepth 1 -mtime +"$most_days" -exec rm -rf -- {} +
  left=$most_bytes
  while IFS=' ' read -r -d '' _ path; do
    size=$(du -sB1 -- "$path" | cut -f 1)
    [[ ! $size =~ ^[0-9]{1,18}$ ]] || left=$((left - size))
    if ((left < 0)); then rm -rf -- "$path"; fi
  done < <(find . -mindepth 1 -maxdepth 1 -printf '%T@ %p\0' | sort -zrn)
fi
