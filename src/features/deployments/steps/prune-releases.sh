# shellcheck shell=bash
# uses: git/as-git.sh, git/drop-refs.sh, disk.sh, node/remove-unused-nodes.sh, link-former.sh
# given: releases_directory live_link slots former_release environments node_links leftovers kept_releases kept_bytes
# Removes old releases. `leftovers`: files of this deployment; `former_release`: or empty; `kept_releases` and `kept_bytes`: limits;
# `node_links`: their prefix.
cd -- "$releases_directory" || exit
rm -rf -- "${leftovers[@]}"
shopt -s nullglob
measure_releases
live=$(readlink "$live_link")
live=${live##*/}
used=" $live "
for slot in "$slots"/*; do
  release=$(readlink -- "$slot")
  used+="${release##*/} "
done
kept=1 bytes=0 seen=' ' left=() removed=''
mapfile -t names < <(printf '%s\n' "$live" "$former_release"; printf '%s\n' * | sort -rn)
for name in "${names[@]}"; do
  if [[ ! $name || $seen = *" $name "* || ! -d ./$name ]]; then continue; fi
  seen+="$name "
  bytes=$((bytes + ${sizes[$name]-0}))
  if [[ $used == *" $name "* ]]; then left+=("$name"); continue; fi
  if [[ $name =~ ^[0-9]+$ ]] && ((kept < kept_releases)) &&
    { [[ $name = "$former_release" ]] || ((bytes <= kept_bytes)); }; then
    ((kept += 1))
    left+=("$name")
    continue
  fi
  rm -rf -- "./$name" "${environments:?}/$name" "$node_links$name"
  drop_refs "$name" || true
  removed=yes
  echo "Removed the release $name."
done
link_former
remove_unused_nodes
[[ ! $removed ]] || as_git -c gc.autoDetach=false gc --auto --quiet
report_disk "${left[@]}"
