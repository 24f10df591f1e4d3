# shellcheck shell=bash disable=SC2034
# given: link note environment_directory programs
# Digests of the variables that PHP was started with (`had`), and of those of the release (`has`). `link` and `note`: files;
# `programs`: of PHP.

had=none has=none
if [[ -e $note ]]; then read -r had < "$note"; fi
if [[ -e $environment_directory/environment-exports ]]; then
  read -r has _ < <(sha256sum < "$environment_directory/environment-exports")
fi
has+=$(readlink -- "$programs/php-fpm" || true)
point_to() {
  ln -sfn -- "$1" "$link.new"
  mv -T -- "$link.new" "$link"
}
keep() {
  echo "$1" > "$note.new"
  mv -T "$note.new" "$note"
}
