# shellcheck shell=bash
# uses: stop.sh
# given: release_directory live_link listed by_content by_time search_seconds most packages to_share taken_paths served may_go
# given: directories_now files_now again
# Functions that find the files that an application has written into the live release, and that the next one would not have.
# `listed`: the expression of find for files that count; `by_content` and `by_time`: conditions for files to compare by their
# content or by the time of their last change; `search_seconds`: how long a search may take; `most`: files that a release may have;
# `packages`: directories whose known entries are updated in place; `to_share`: paths that become shared; `taken_paths`: paths that
# are shared; `served`: directories that are served; `directories_now` and `files_now`: the project's settings; `again`: what to do
# next.
files_note=.longshore/files
# Of the proposed settings: only the end of a longer sentence would reach its reader.
longest=2600
export LC_ALL=C

# `CHECKSUM  ./PATH` or `SIZE TIME PATH` of each file, sorted. The time of the last change is the kernel's: programs cannot set it.
# Fails if not all were found: that takes too long on a busy or broken disk.
list_files() ( # RELEASE MOST
  cd -- "$1" || exit
  set -o pipefail
  {
    if ((${#by_content[@]})); then find_listed "${by_content[@]}" -print0 | { xargs -0r md5sum -z -- || true; }; fi &&
      find_listed "${by_time[@]}" -printf '%s %C@ %P\0'
  } 2> /dev/null | head -zn "$2" | sort -z
)
# Files may go while it searches, and `head` may have enough of them: neither is a failure.
find_listed() {
  local code=0
  timeout "$search_seconds" find . "${listed[@]}" "$@" || code=$?
  ((code != 124))
}
paths_of() { sed -zE 's|^[^ ]* [^ ]* (\./)?||'; }
# What this release is made of, once: later files are the application's.
note_files() {
  local note=$release_directory/$files_note
  [[ ! -e $note ]] || return 0
  if ! list_files "$release_directory" "$((most + 1))" > "$note.new"; then
    echo "The release's files were not all found within $search_seconds seconds: what its application writes into it is not looked for."
  elif [ "$(tr -cd '\0' < "$note.new" | wc -c)" -gt "$most" ]; then
    echo "The release has more than $most files: what its application writes into it is not looked for."
  else
    mv -T -- "$note.new" "$note"
  fi
  rm -f -- "$note.new"
}
is_below() { # PATH DIRECTORY...
  local path=$1 each
  shift
  for each; do [[ $path != "$each" && $path != "$each"/* ]] || return 0; done
  return 1
}
# The code of an application that replaces its own packages is not its data.
is_of_known_package() { # PATH
  local each package
  for each in "${packages[@]}"; do
    [[ $1 = "$each"/*/* ]] || continue
    package=${1#"$each/"} package=$each/${package%%/*}
    if grep -zqE "^[^ ]* [^ ]* (\./)?${package//[^A-Za-z0-9\/_-]/.}/" "$live/$files_note"; then return 0; fi
  done
  return 1
}
# Sets `live`, and the arrays `written` and `lost`: those among them that nothing takes along.
find_written() {
  local path base
  local -A seen=()
  written=() lost=()
  live=$(readlink -e -- "$live_link") || live=''
  [[ $live && $live != "$release_directory" && -e $live/$files_note ]] || return 0
  while IFS= read -r -d '' path; do
    # What stands for those that were not found.
    if [[ ! $path ]]; then
      [[ $may_go ]] || stop "The files of the live release were not all found within $search_seconds seconds, so it is not known whether its application has written some that would be lost. Try again when the server has less to do. If they may go, have the project discard written files (discard_written_files)."
      continue
    fi
    # SQLite's own files beside a database: empty ones hold nothing.
    base=${path%-wal} base=${base%-journal}
    if [[ $base != "$path" && -f $live/$base ]]; then
      [[ -s $live/$path ]] || continue
      path=$base
    fi
    if [[ ${seen[$path]-} ]] || is_of_known_package "$path"; then continue; fi
    seen[$path]=yes
    written+=("$path")
    is_below "$path" "${to_share[@]}" || lost+=("$path")
  done < <(comm -z13 --nocheck-order "$live/$files_note" <(list_files "$live" "$((most * 5))" || printf '\0') | paths_of | sort -z)
}
describe() { # PATH...
  local shown=() each
  for each in "${@:1:3}"; do each=${each//[[:cntrl:]]/?} shown+=("${each:0:150}"); done
  printf '%s' "${shown[0]}"
  ((${#shown[@]} == 1)) || printf ', %s' "${shown[@]:1}"
  (($# <= 3)) || printf ' and %s more' "$(($# - 3))"
}
# Marks in `own` each directory that has a file of the release itself, more than what keeps an empty directory in git, and examples.
mark_own() { # PATTERN of the names that count
  local path
  own=()
  for path in "${taken_paths[@]/%//x}" "${served[@]/%//x}"; do mark_parents "$path"; done
  while IFS= read -r -d '' path; do
    [[ ${path##*/} =~ $1 ]] || continue
    case ${path##*/} in
      .gitkeep | .keep | .gitignore | .htaccess | web.config) continue ;;
      *.default.* | *.example | *.example.* | *.sample | *.sample.* | *.dist | README* | readme*) continue ;;
      index.html | index.htm) [ "$(stat -c %s -- "$live/$path" 2> /dev/null || echo 999)" -gt 200 ] || continue ;;
    esac
    mark_parents "$path"
  done < <(paths_of < "$live/$files_note")
}
mark_parents() { # PATH
  local directory=$1
  while [[ $directory = */* ]]; do
    directory=${directory%/*}
    [[ ! ${own[$directory]-} ]] || break
    own[$directory]=yes
  done
}
# The uppermost directory on the way to a file that has nothing of the release itself; fails without one.
upper_free() { # PATH
  local rest=$1
  free=''
  while [[ $rest = */* ]]; do
    free=${free:+$free/}${rest%%/*} rest=${rest#*/}
    [[ ${own[$free]-} ]] || return 0
  done
  return 1
}
# Fills `directories` and `files`, which would take along all lost files.
propose() {
  local -A own=() seen=()
  local path mixed=() room=$longest
  directories=("${directories_now[@]}") files=("${files_now[@]}")
  for path in "${directories[@]}" "${files[@]}"; do room=$((room - ${#path} - 4)); done
  mark_own .
  for path in "${lost[@]}"; do
    if upper_free "$path"; then propose_one directory "$free"; else mixed+=("$path"); fi
  done
  # Where an application edits files of the repository, and many: a directory of them that has no code.
  if ((${#mixed[@]} > 10)); then mark_own '\.(php|phtml|inc|[cm]?jsx?|[cm]?tsx?|vue|svelte|s?css|twig|html?|py|rb|sh)$'; fi
  for path in "${mixed[@]}"; do
    if upper_free "$path"; then propose_one directory "$free"; else propose_one file "$path"; fi
  done
}
propose_one() { # KIND PATH, if a setting can hold it
  local path=$2
  if [[ ${seen[$path]-} || $path =~ [[:cntrl:]] || $path = *' ' || $path = ' '* ]] || ((${#path} > 390 || ${#path} + 4 > room)); then
    return 0
  fi
  seen[$path]=yes
  room=$((room - ${#path} - 4))
  # An exclamation mark would switch a default off.
  if [[ $path = '!'* ]]; then path=./$path; fi
  if [[ $1 = directory ]]; then ((${#directories[@]} >= 100)) || directories+=("$path")
  else ((${#files[@]} >= 100)) || files+=("$path"); fi
}
json() { # TEXT...
  local each all=''
  for each; do
    each=${each//\\/\\\\} each=${each//\"/\\\"}
    all+=${all:+, }\"$each\"
  done
  printf '[%s]' "$all"
}
refuse_lost() {
  local directories=() files=() sets=() advice=' To keep them, share their directories, or themselves.'
  ((${#lost[@]})) || return 0
  propose
  if ((${#directories[@]} > ${#directories_now[@]})); then sets+=("the shared directories to $(json "${directories[@]}")"); fi
  if ((${#files[@]} > ${#files_now[@]})); then sets+=("the shared files to $(json "${files[@]}")"); fi
  if ((${#sets[@]} == 2)); then sets=("${sets[0]} and ${sets[1]}"); fi
  if ((${#sets[@]})); then advice=" To keep them, set ${sets[0]} and $again: what they hold is taken along."; fi
  stop "The application has written files into the live release that would be lost: $(describe "${lost[@]}").$advice If they may go, have the project discard written files (discard_written_files)."
}
# The last look before the release goes live.
check_written() {
  if [[ ! $may_go ]]; then refuse_lost
  elif ((${#lost[@]})); then
    echo "Files that the application has written into the live release are not taken along, as the project's settings allow: $(describe "${lost[@]}")."
  fi
}
