# shellcheck shell=bash
# given: directory shared
mkdir -p -- "$shared/content/themes"
cd -- "$directory"
ln -sfn -- "$shared/config.production.json" config.production.json
for folder in adapters data files images logs media public settings; do mkdir -p -- "$shared/content/$folder"; done
for theme in content/themes/*/; do
  name=$(basename -- "$theme")
  rm -rf -- "$shared/$name.new"
  cp -a -- "$theme" "$shared/$name.new"
  rm -rf -- "$shared/content/themes/$name"
  mv -T -- "$shared/$name.new" "$shared/content/themes/$name"
done
echo "Ghost's own themes and its settings are in place."
