# shellcheck shell=bash
# uses: submodules.sh
# given: directory mirror ref
# Writes the files of a commit, with those of Git LFS and of submodules. `ref`: of the commit.

write_large_file() { # PATH
  local pointer object
  IFS= read -r -d '' -n 1000 pointer < "$1" || true
  [[ $pointer =~ ^version\ https://git-lfs.github.com/spec/v1$'\n'(.*$'\n')?oid\ sha256:([0-9a-f]{64})$'\n' ]] || return 0
  object=${BASH_REMATCH[2]}
  object=$mirror/lfs/objects/${object:0:2}/${object:2:2}/$object
  if [[ ! -r $object ]]; then
    printf 'The file %s of Git LFS is not in the mirror of the repository. Deploy again.\n' "$1" >&2
    exit 1
  fi
  cp --reflink=auto -- "$object" "$1"
}

# Each submodule has its own index, so that only files that differ are written.
export_submodules() { # COMMIT PREFIX
  has_submodules "$1" || return 0
  local links link path commit own
  list_links "$1"
  for link in "${links[@]}"; do
    path=$2$(path_of "$link") commit=$(commit_of "$link")
    # Without an address it was not fetched.
    git --git-dir="$mirror" cat-file -e "$commit^{commit}" 2> /dev/null || continue
    own=.longshore/submodules/$(printf '%s' "$path" | sha256sum | cut -c 1-32)
    mkdir -p -- "$own" "./$path"
    printf '%s' "$path" > "$own/path"
    GIT_INDEX_FILE=$PWD/$own/index git --git-dir="$mirror" --work-tree="./$path" read-tree --reset -u "$commit"
    export_submodules "$commit" "$path/"
  done
}

# What submodules of an earlier commit left in a directory that is written again.
drop_left_submodules() {
  local kept path
  for kept in "$directory"/.longshore/submodules/*/path; do
    [[ -e $kept ]] || continue
    path=$(< "$kept")
    if [[ $(git --git-dir="$mirror" ls-tree "$ref" -- "$path") = "160000 "* ]]; then continue; fi
    rm -rf -- "${directory:?}/$path" "${kept%/path}"
  done
}

cd -- "$directory" || exit
[[ -d .longshore ]] || mkdir .longshore
export GIT_INDEX_FILE=$directory/.longshore/index GIT_CONFIG_GLOBAL=/dev/null GIT_LITERAL_PATHSPECS=1 LC_ALL=C
drop_left_submodules
git --git-dir="$mirror" --work-tree="$directory" read-tree --reset -u "$ref"
if [[ -d $mirror/lfs/objects ]]; then
  while IFS= read -r -d '' path; do
    if [[ -f $path && ! -L $path ]]; then write_large_file "$path"; fi
  done < <(GIT_LITERAL_PATHSPECS=0 git --git-dir="$mirror" --work-tree=. ls-files -z -- ':(attr:filter=lfs)')
fi
export_submodules "$ref" ""
