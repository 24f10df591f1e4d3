# shellcheck shell=bash
# uses: runner/put-file.sh, runner/keep-running.sh
# given: root directory file_names file_texts node unit socket_unit service_unit
# Installs what turns pages into Markdown. `root`: of all versions; `directory`: of this one; `file_names` and `file_texts`: arrays;
# `node`: the directory of its commands; `unit`: the path of both unit files without their suffixes.
if [ ! -e "$directory/node_modules" ]; then
  # Left by a run that was killed.
  rm -rf -- "$root"/.new.*
  scratch=$(mktemp -d "$root/.new.XXXXXX")
  chmod 755 "$scratch"
  for at in "${!file_names[@]}"; do put_file "$scratch/${file_names[at]}" 0644 "${file_texts[at]}" > /dev/null; done
  (cd -- "$scratch" && PATH=$node:$PATH npm ci --ignore-scripts --no-audit --no-fund \
    --no-progress --no-update-notifier --loglevel=error --cache "$scratch/.npm") ||
    fail "npm could not fetch what turns pages into Markdown; its own words are above. Visitors get HTML until then."
  rm -rf "$scratch/.npm" "$directory"
  mv -T "$scratch" "$directory"
  echo "Installed what turns pages into Markdown."
fi
wrote=$(put_file "$unit.socket" 0644 "$socket_unit" && put_file "$unit.service" 0644 "$service_unit")
if [ -n "$wrote" ]; then
  echo "$wrote"
  systemctl daemon-reload
  # The next request starts the new one.
  systemctl stop longshore-markdown.service
fi
keep_running longshore-markdown.socket
for other in "$root"/*/; do
  [ "$other" = "$directory/" ] || rm -rf -- "$other"
done
