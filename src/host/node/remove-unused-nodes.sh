# shellcheck shell=bash
# uses: lock-releases.sh
# given: nodes on_demand_mark projects
# `nodes`: the directory of all versions; `projects`: the directory of all projects.

remove_unused_nodes() (
  shopt -s nullglob
  marks=("$nodes"/*/"$on_demand_mark" "$nodes"/.removed.*)
  ((${#marks[@]} > 0)) || exit 0
  lock_node_releases
  rm -rf -- "$nodes"/.removed.*
  used=$(find "$projects"/*/state -maxdepth 1 -name 'node-*' -printf '%l\n')
  used=$used$'\n'$(readlink -e "$nodes/current" || true)$'\n'
  for mark in "$nodes"/*/"$on_demand_mark"; do
    version=${mark%/*}
    if [[ $'\n'$used == *$'\n'"$version"$'\n'* ]]; then continue; fi
    version=${version##*/}
    # Never there by halves.
    mv -T -- "$nodes/$version" "$nodes/.removed.$version"
    rm -rf -- "$nodes/.removed.$version"
    echo "Removed Node $version, which no release has any more."
  done
)
