# shellcheck shell=bash
# uses: swap-shared.sh
# given: release_directory live_link shared deployment_id written
# Functions that link shared paths, with those of written-files.sh. `written`: the files that the application has written into the
# live release.
cd -- "$release_directory" || exit
live=$(readlink -e -- "$live_link") || live=''
if [[ ! $live || $live = "$release_directory" ]]; then live=/nonexistent; fi
# Notes for the undo: paths that are new among the shared ones, those that were taken out of the live release, and what was added to
# these.
made=.longshore/shared-$deployment_id
taken=.longshore/taken-$deployment_id
added=.longshore/added-$deployment_id
making() { # PATH
  mkdir -p -- "$(dirname -- "$shared/$1")"
  [[ -e $shared/$1 ]] || printf '%s\0' "$1" >> "$made"
}
is_linked() { [[ $(readlink -- "./$1") = "$shared/$1" ]]; }
link() { # PATH
  if is_linked "$1"; then return; fi
  # An earlier release that is made live again keeps what it had.
  if [[ -e .longshore/files && -e ./$1 && ! -L ./$1 ]]; then
    mkdir -p -- "$(dirname -- ".longshore/former/$1")"
    [[ -e .longshore/former/$1 ]] || mv -T -- "./$1" ".longshore/former/$1"
  fi
  rm -rf -- "./$1"
  mkdir -p -- "$(dirname -- "./$1")"
  ln -s -- "$shared/$1" "./$1"
  echo "Linked $1."
}
is_own() { # KIND PATH: the live release has one that is not shared
  if [[ -L $live/$2 ]]; then return 1; fi
  if [[ $1 = directory ]]; then [[ -d $live/$2 ]]; else [[ -f $live/$2 ]]; fi
}
# The live release's own becomes the shared one, and the live release gets a link to it at the same instant: what is written until the
# switch, and by requests that end after it, is in the new release too, and an open database stays whole.
take_along() { # PATH
  mkdir -p -- "$(dirname -- "$shared/$1")"
  printf '%s\0' "$1" >> "$taken"
  ln -s -- "$shared/$1" "$shared/$1"
  swap_shared "$live/$1" "$shared/$1"
  echo "Took $1 out of the live release."
}
# Adds what the new release has besides.
add_own() { # PATH
  local each
  while IFS= read -r -d '' each; do
    [[ -e $shared/$1/$each || -L $shared/$1/$each ]] || printf '%s\0' "$1/$each" >> "$added"
  done < <(find "./$1" -mindepth 1 -printf '%P\0')
  tar -C "./$1" -cf - . | tar -C "$shared/$1" -xf - --skip-old-files
}
# Both have one: what was written into the live release is newer.
take_newer() { # PATH
  local each
  for each in "${written[@]}"; do
    if ! is_below "$each" "$1" || [[ ! -f $live/$each || -d $shared/$each ]]; then continue; fi
    mkdir -p -- "$(dirname -- "$shared/$each")"
    cp -a -- "$live/$each" "$shared/$each.new"
    mv -T -- "$shared/$each.new" "$shared/$each"
    echo "Took $each along from the live release."
  done
}
share() { # KIND PATH
  local kind=$1 path=$2
  # Of a step that was interrupted.
  if [[ $(readlink -- "$shared/$path") = "$shared/$path" ]]; then rm -f -- "$shared/$path"; fi
  if [[ -e $shared/$path || -L $shared/$path ]]; then
    if is_own "$kind" "$path"; then take_newer "$path"; fi
  elif is_own "$kind" "$path"; then
    take_along "$path"
    if [[ $kind = directory && -d ./$path && ! -L ./$path ]]; then add_own "$path"; fi
  else
    making "$path"
    if [[ -e $path && ! -L $path ]]; then cp -a -- "./$path" "$shared/$path"
    elif [[ $kind = directory ]]; then mkdir -- "$shared/$path"
    else : > "$shared/$path"; fi
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
