# shellcheck shell=bash
# given: mirror commit_ref directory environment_exports install_command release_directory live_link always_rebuild manager
# Builds a frontend with `build_frontend`, or copies that of the live release. `directory`: in the release; `environment_exports`: a
# file; `install_command`: of the project. It needs `tool_versions`.

reads_php='' reads_all=''
shopt -s nullglob
build_files=(package.json vite.config.* webpack.*.js tailwind.config.* postcss.config.*)
if grep -qsE 'wayfinder|ziggy|artisan|(app|src|routes|config|modules)/[^"'"'"']*\.php' "${build_files[@]}" ||
  grep -qsE 'wayfinder|ziggy' composer.json; then reads_php=yes; fi
shopt -u nullglob
# A version that does not begin with a number below 4, and packages that there are since 4.
if grep -qsE '"@tailwindcss/(vite|postcss|cli|webpack)"|"tailwindcss"[[:space:]]*:[[:space:]]*"([^"0-9]*([4-9]|[1-3][0-9])|[^"0-9]+")' package.json
then reads_all=yes; fi
sources() {
  git --git-dir="$mirror" ls-tree -r "$commit_ref" | awk -F '\t' -v php="$reads_php" -v all="$reads_all" '
    all { print; next }
    $2 ~ /^"?(tests|docs|database)\// || $2 ~ /^[^\/]*\.md$/ { next }
    php == "" && $2 ~ /\.php"?$/ && $2 !~ /(^|\/|")(resources|templates|assets|views)\// { next }
    { print }'
}
frontend_key() {
  {
    printf '%s\n' "$directory" "$MACHTYPE" "$manager" "$install_command"
    tool_versions
    php -r 'echo PHP_VERSION;' 2> /dev/null || true
    cat -- "$environment_exports" .env 2> /dev/null || true
    sources
  } | sha256sum
}
reuse() { # a live release that was built from the same
  local live from count
  live=$(readlink -e "$live_link") || return 1
  [[ $live != "$release_directory" && -s $live/.longshore/frontend-files ]] || return 1
  [[ $(< "$live/.longshore/frontend-key") = "$key" ]] || return 1
  from=$live/$directory
  (cd -P -- "$from" && xargs -0 cp -a --reflink=auto --parents -t "$release_directory/$directory" --) \
    < "$live/.longshore/frontend-files" || return 1
  cp -- "$live/.longshore/frontend-files" "$live/.longshore/frontend-key" "$release_directory/.longshore/"
  count=$(tr -cd '\0' < "$release_directory/.longshore/frontend-files" | wc -c)
  echo "Nothing that the frontend is built from has changed since release ${live##*/}: its $count built files are used again."
}
key=$(GIT_CONFIG_GLOBAL=/dev/null frontend_key)
if [[ ! $always_rebuild ]] && reuse; then exit; fi
touch "$release_directory/.longshore/frontend-begun"
build_frontend
find . \( -path ./node_modules -o -path ./.longshore -o -path ./vendor \) -prune -o \
  \( -type f -o -type l \) -cnewer "$release_directory/.longshore/frontend-begun" -print0 > "$release_directory/.longshore/frontend-files"
echo "$key" > "$release_directory/.longshore/frontend-key"
