# shellcheck shell=bash
# uses: runner/put-link.sh
# given: nodes
# Links the commands of Node for every user. `nodes`: the directory of all versions.
foreign=()
for name in node npm npx corepack pnpm pnpx yarn yarnpkg; do
  command=$nodes/current/bin/$name path=/usr/local/bin/$name
  if [ -L "$path" ] && [ "$(readlink "$path")" = "$command" ]; then
    # Node 25 and later come without corepack.
    [ -e "$command" ] || rm "$path"
  elif [ -e "$path" ] || [ -L "$path" ]; then
    foreign+=("$path")
  elif [ -e "$command" ]; then
    put_link "$command" "$path"
  fi
done
node --version > /dev/null || fail "node does not start."
[ "${#foreign[@]}" = 0 ] ||
  fail "${foreign[*]}: not installed by Longshore and left alone; remove it and run the setup again."
echo "The commands of Node are in /usr/local/bin."
