# shellcheck shell=bash
# given: copy shared paths
umask 077
rm -rf -- "$copy" "$copy.new"
mkdir -p -- "$copy.new"
size=$(cd -- "$shared" && du --summarize --total --block-size=M -- "${paths[@]}" 2> /dev/null | tail -n 1 | tr -dc 0-9) || true
free=$(df --block-size=M --output=avail -- "$copy.new" | tail -n 1 | tr -dc 0-9)
((free > ${size:-0} + 50)) || fail "The server's disk has $free MB left; a copy of the settings needs $((size + 50)) MB."
for path in "${paths[@]}"; do
  [[ -e $shared/$path ]] || continue
  mkdir -p -- "$copy.new/$(dirname -- "$path")"
  cp -a -- "$shared/$path" "$copy.new/$path"
done
mv -T -- "$copy.new" "$copy"
echo "Copied ${paths[*]}."
