# shellcheck shell=bash
# given: directory former
# Files that people added to the former release: plugins, geolocation databases, and tag manager containers.
cd -- "$former"
count=0
for plugin in plugins/*/; do
  plugin=${plugin%/}
  [[ ! -e $directory/$plugin ]] || continue
  cp -a -- "$plugin" "$directory/$plugin"
  count=$((count + 1))
done
shopt -s nullglob
for file in misc/*.mmdb js/container_*.js; do
  [[ -e $directory/$file ]] || cp -a -- "$file" "$directory/$file"
done
echo "Took $count plugins along."
