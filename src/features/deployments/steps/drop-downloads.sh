# shellcheck shell=bash
# given: home releases_directory kept_bytes
# Removes the downloads that were not used for the longest time.
cd -P -- "$home" || exit
caches=(.npm/_cacache/content-v2 .cache/composer .composer/cache)
# Releases with Yarn's Plug'n'Play run from its downloads.
if [[ ! $(find "$releases_directory" -maxdepth 4 -name node_modules -prune -o -name '.pnp.*' -print -quit) ]]; then caches+=(.yarn/berry/cache); fi
downloads() {
  local path
  find "${caches[@]}" -type f -printf '%A@ %b %p\0' 2> /dev/null || true
  find .local/share/pnpm/store -type f -links 1 -path '*/files/*' -printf '%A@ %b %p\0' 2> /dev/null || true
  for path in .cache/yarn/v*/* .bun/install/cache/*; do
    [[ ! -d $path || -L $path ]] || printf '%s %s %s\0' "$(stat -c %Y -- "$path")" "$(du -sB512 -- "$path" | cut -f 1)" "$path"
  done
}
left=$kept_bytes dropped=()
while IFS=' ' read -r -d '' _ blocks path; do
  [[ ! $blocks =~ ^[0-9]{1,15}$ ]] || left=$((left - blocks * 512))
  if ((left < 0)); then dropped+=("$path"); fi
done < <(downloads | sort -zrn)
if ((${#dropped[@]} > 0)); then
  printf '%s\0' "${dropped[@]}" | xargs -0r rm -rf --
  echo "Removed ${#dropped[@]} downloads of package managers that were not used for the longest time."
fi
