# shellcheck shell=bash
# given: environment_directory
# The undo of write-environment.sh.
rm -rf "$environment_directory"/*.new
if [[ -d $environment_directory/former ]]; then
  for name in environment environment-exports; do mv -T "$environment_directory"/former/"$name" "$environment_directory/$name" || true; done
  rm -rf "$environment_directory/former"
elif [[ -e "$environment_directory/new" ]]; then
  rm -rf "$environment_directory"
fi
