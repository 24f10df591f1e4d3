# shellcheck shell=bash disable=SC2034,SC2154 # the renderer sets the variables, other files use what this one sets
# Functions that link shared paths. Variables: release_directory, shared, live_link.
cd -- "$release_directory" || exit
made=.longshore/shared
live=$(readlink -e -- "$live_link") || live=''
if [[ ! $live || $live = "$release_directory" ]]; then live=/nonexistent; fi
making() { # PATH
  mkdir -p -- "$(dirname -- "$shared/$1")"
  [[ -e $shared/$1 ]] || printf '%s\0' "$1" >> "$made"
}
is_linked() { [[ $(readlink -- "./$1") = "$shared/$1" ]]; }
link() { # PATH
  if is_linked "$1"; then return; fi
  rm -rf -- "./$1"
  mkdir -p -- "$(dirname -- "./$1")"
  ln -s -- "$shared/$1" "./$1"
  echo "Linked $1."
}
share() { # KIND PATH
  local kind=$1 path=$2
  if [[ ! -e $shared/$path && ! -L $shared/$path ]]; then
    making "$path"
    if [[ -e $path && ! -L $path ]]; then cp -a -- "./$path" "$shared/$path"
    elif [[ $kind = directory ]]; then mkdir -- "$shared/$path"
    elif [[ -f $live/$path && ! -L $live/$path ]]; then cp -a -- "$live/$path" "$shared/$path"
    else : > "$shared/$path"; fi
    if [[ $kind = directory && -d $live/$path && ! -L $live/$path ]]; then cp -a -- "$live/$path/." "$shared/$path"; fi
  fi
  link "$path"
}
keep_directory() { # PATH PARENT
  # What later commits add to it, such as the directories that a framework expects.
  if [[ -d ./$1 && ! -L ./$1 && -d $shared/$1 ]]; then
    tar -C "./$1" -cf - . | tar -C "$shared/$1" -xf - --skip-old-files
  fi
  if [[ -e ./$1 || -e $shared/$1 || -d $live/$1 || ( $2 && -d ./$2 ) ]]; then share directory "$1"; fi
}
keep_file() { # PATH
  # What is in the repository is the repository's to change.
  if [[ -e ./$1 || -L ./$1 ]]; then return; fi
  # The live release's own is newer: it was put in the link's place, or made before there was a link.
  if [[ -f $live/$1 && ! -L $live/$1 ]]; then
    making "$1"
    cp -a -- "$live/$1" "$shared/$1.new"
    mv -T -- "$shared/$1.new" "$shared/$1"
  fi
  mkdir -p -- "$(dirname -- "$shared/$1")"
  link "$1"
}
