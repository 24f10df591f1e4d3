# shellcheck shell=bash
# uses: fetching.sh, submodules.sh
# given: mirror url ref wanted private_url submodule_refs webs sshs
# Functions for the end of a fetch. `submodule_refs`: the prefix of the refs; `webs` and `sshs`: arrays: the two addresses of each
# git host.

# Addresses may be relative to the repository's own.
resolve() { # BASE ADDRESS
  local base=${1%/} rest=$2 separator=/
  while :; do
    case $rest in
      ./*) rest=${rest#./} ;;
      ../*)
        rest=${rest#../}
        case $base in
          */*) base=${base%/*} ;;
          *:*) base=${base%:*} separator=: ;;
        esac ;;
      *) break ;;
    esac
  done
  printf '%s' "$base$separator$rest"
}
# Sets url and private_url.
ways_to() { # ADDRESS
  local at
  url=$1 private_url=
  for at in "${!webs[@]}"; do
    case $1 in
      "${webs[at]}"*) private_url=${sshs[at]}${1#"${webs[at]}"} && return ;;
      "${sshs[at]}"*) private_url=$1 url=${webs[at]}${1#"${sshs[at]}"} && return ;;
    esac
  done
}
# Sets address_of, by path.
read_addresses() { # COMMIT
  local -A paths=() addresses=()
  local entries entry name
  mapfile -d '' -t entries < <(git --git-dir="$mirror" config --null --blob "$1:.gitmodules" --get-regexp '^submodule[.].+[.](path|url)$')
  for entry in "${entries[@]}"; do
    name=${entry%%$'\n'*}
    case $name in
      *.path) paths["${name%.path}"]=${entry#*$'\n'} ;;
      *.url) addresses["${name%.url}"]=${entry#*$'\n'} ;;
    esac
  done
  for name in "${!paths[@]}"; do address_of["-${paths[$name]}"]=${addresses[$name]:-}; done
}
fetch_submodules() { # COMMIT PREFIX BASE DEPTH
  has_submodules "$1" || return 0
  local -A address_of=()
  local links link path
  read_addresses "$1"
  list_links "$1"
  for link in "${links[@]}"; do
    path=$(path_of "$link")
    fetch_submodule "$2$path" "$(commit_of "$link")" "${address_of["-$path"]:-}" "$3" "$4"
  done
}
fetch_submodule() { # PATH COMMIT ADDRESS BASE DEPTH
  local address=$3
  if [[ -z $address ]]; then
    echo "The submodule $1 has no address in .gitmodules, so it stays empty."
    return
  fi
  (($5 < 10)) || stop "Submodules are in each other more than ten deep, at $1."
  if [[ $address = ./* || $address = ../* ]]; then address=$(resolve "$4" "$address"); fi
  ways_to "$address"
  wanted=$2 tag='' ref=$submodule_refs/$2 all=$submodule_refs/all-$2 whose="The submodule $1 cannot be fetched. "
  rm -f -- "$mirror/$ref.lock"
  has_commit || echo "Fetching the submodule $1 from $url."
  attempt
  keep_wanted
  fetch_submodules "$2" "$1/" "$url" $(($5 + 1))
}
