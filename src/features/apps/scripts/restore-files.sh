# shellcheck shell=bash
# given: copy shared paths
rm -rf -- "$copy.new"
[[ -d $copy ]] || exit 0
# Copied, not moved: an interrupted undo is repeated from the start.
for path in "${paths[@]}"; do
  [[ -e $copy/$path ]] || continue
  rm -rf -- "$shared/$path.former"
  cp -a -- "$copy/$path" "$shared/$path.former"
  rm -rf -- "${shared:?}/$path"
  mv -T -- "$shared/$path.former" "$shared/$path"
done
rm -rf -- "$copy"
echo "Put ${paths[*]} back."
