# shellcheck shell=bash
# uses: lock-releases.sh
# given: nodes
# From now on the version is kept, or is missing and can be installed.
remember_node() ( # VERSION LINK
  lock_node_releases
  ln -sfn -- "$nodes/$1" "$2.new"
  mv -T -- "$2.new" "$2"
)
