# shellcheck shell=bash
# Replaces links.

put_link() { # TARGET PATH
  if [ "$(readlink "$2")" = "$1" ]; then return; fi
  ln -sfn "$1" "$2.longshore-new" && mv -T "$2.longshore-new" "$2" || return
  echo "Linked $2 to $1."
}
