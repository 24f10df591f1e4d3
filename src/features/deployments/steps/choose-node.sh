# shellcheck shell=bash
# uses: stop.sh, node/remember-node.sh, node/remove-unused-nodes.sh, read-node-files.sh
# given: nodes node_index node_index_url node_setting node_link servers_own is_node_project
# Chooses the release's version of Node, and installs it if missing; needs `run_chooser`, `add_node VERSION` and
# `add_package_managers VERSION`. `nodes`: the directory of the versions; `node_index` and `node_index_url`: the mirror's list;
# `node_setting`: of the project, or empty; `node_link`: of the release; `servers_own`: why the server's own version is used.

ask_node() { # INDEX LAST, puts the chooser's lines into `answer`
  local at there=()
  for at in "$nodes"/[0-9]*/bin/node; do
    at=${at#"$nodes"/}
    there+=("${at%%/*}")
  done
  mapfile -t answer < <(
    cd /
    if ((${#asking[@]} > 0)); then printf '%s\0' "${asking[@]}"; fi |
      run_chooser "$nodes/current/lib/node_modules/npm/node_modules/semver" "$node_setting" "$own" "$1" "$2" "$(uname -m)" \
        "${there[@]}" | head -c 4000
  )
  answer[0]=${answer[0]-}
}
fetch_index() { # FILE
  local new
  new=$(mktemp "$nodes"/.index.XXXXXX)
  if curl -fsSL --retry 2 --connect-timeout 15 --max-time 60 --max-filesize 20000000 -o "$new" -- "$node_index_url"; then
    chmod 644 "$new"
    mv -T -- "$new" "$1"
  else
    rm -f -- "$new"
  fi
}
choose_node() {
  local index=$node_index
  ask_node '' ''
  if [[ ${answer[0]} = index && $(find "$index" -mmin -1440 2> /dev/null) ]]; then ask_node "$index" ''; fi
  if [[ ${answer[0]} = index ]]; then
    fetch_index "$index"
    [[ -e $index ]] || index=''
    ask_node "$index" last
  fi
  [[ ${answer[0]} = use ]] || stop "${answer[1]:-The version of Node could not be chosen; the reason is above.}"
  version=${answer[1]} why=${answer[2]-}
}
install_node() {
  if [[ ! -d $nodes/$version ]]; then
    remove_unused_nodes
    add_node "$version"
  fi
  if [[ ! -e $nodes/$version/bin/pnpm || ! -e $nodes/$version/bin/yarn ]]; then add_package_managers "$version"; fi
}

own=$(readlink "$nodes/current") || own=''
# Without the server's own there is none of the platform's.
if [[ $own =~ ^[0-9.]+$ ]]; then
  asking=() named=$is_node_project
  read_files
  version=$own why=$servers_own
  if [[ $node_setting ]] || ((${#asking[@]} > 0)); then choose_node; fi
  [[ $version =~ ^[0-9]{2,3}\.[0-9]{1,4}\.[0-9]{1,4}$ ]] || stop "The version of Node could not be chosen."
  # What the setup installed is never removed.
  if [[ $version = "$own" ]]; then ln -sfn -- "$nodes/$own" "$node_link"
  else
    remember_node "$version" "$node_link"
    install_node
  fi
  [[ ! $named ]] || echo "Node $version: $why."
fi
