# shellcheck shell=bash
# uses: own-environment.sh
# given: environment_directory user
# Writes the environment variables of a release.
umask 027
if [[ ! -d $environment_directory ]]; then
  install -d -m 750 -o root -g "$user" "$environment_directory"
  : > "$environment_directory/new"
fi
if [[ -e "$environment_directory/environment" && ! -e "$environment_directory/former" ]]; then
  rm -rf "$environment_directory/former.new"
  mkdir "$environment_directory/former.new"
  ln "$environment_directory/environment" "$environment_directory/environment-exports" "$environment_directory/former.new/"
  mv -T "$environment_directory/former.new" "$environment_directory/former"
fi
own=$(own_environment)
for name in environment environment-exports; do
  install -m 600 -o "$user" -g "$user" "$LONGSHORE_SECRETS/$name" "$environment_directory/$name.new"
  if [[ $own && $name = environment ]]; then
    { printf '%s\n' "$own"; cat -- "$LONGSHORE_SECRETS/$name"; } > "$environment_directory/$name.new"
    echo "The repository has a .env: its lines stay, and the project's variables win over them."
  fi
  mv -T "$environment_directory/$name.new" "$environment_directory/$name"
done
echo "Wrote the project's environment variables."
