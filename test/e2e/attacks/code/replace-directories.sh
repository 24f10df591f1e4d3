#!/bin/bash
# Replaces every directory that the project owns and that lies inside another one of its own by a link. Arguments: the
# directory that the links lead to.
target=$1
project=$(cd -P -- "$HOME/.." && pwd)
mkdir -p "$HOME"/{tmp,sessions,.npm,.cache,.config,.composer} "$project"/shared/storage "$project"/cache/any
find "$HOME" "$project"/{shared,cache} "$project"/releases/* -mindepth 1 -maxdepth 1 -type d -print0 |
  while IFS= read -r -d '' directory; do
    [[ $directory != */attack ]] || continue
    mv -T -- "$directory" "$directory.mine" && ln -s -- "$target" "$directory" && echo "replaced $directory"
  done
