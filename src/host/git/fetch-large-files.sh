# shellcheck shell=bash
# uses: fetching.sh
# given: mirror url ref
# Functions for the end of a fetch that has set `commit`.

# Git LFS keeps large files beside the repository, which has a pointer to each: a text with the SHA-256 of the file. The user
# who fetches adds the files to the project's mirror together with its commit; the project's user copies them over their
# pointers when the release is written. LFS files of submodules are not supported.
in_mirror() { git "${options[@]}" -c remote.source.url="$url" --git-dir="$mirror" "$@"; }
fetch_large_files() {
  in_mirror grep --quiet 'filter=lfs' "$commit" -- ':(glob)**/.gitattributes' || return 0
  command -v git-lfs > /dev/null || stop "The repository keeps files in Git LFS, which this server does not have yet. Run the setup of the server again, then deploy again."
  echo "Fetching files from Git LFS."
  if ! said=$(in_mirror lfs fetch source "$commit" 2>&1); then
    printf '%s\n' "$said"
    stop "Files of the repository $url could not be fetched from Git LFS; the reason is above."
  fi
  drop_large_files
}
# An object's name is its checksum, so a copy that is still needed is never another one.
drop_large_files() {
  local ref object
  local -A needed=()
  while read -r ref; do
    while read -r object _; do needed[$object]=1; done < <(in_mirror lfs ls-files --long "$ref")
  done < <(in_mirror for-each-ref --format='%(refname)' refs/longshore/releases)
  while IFS= read -r -d '' object; do
    [[ -n ${needed[${object##*/}]:-} ]] || rm -f -- "$object"
  done < <(find "$mirror/lfs/objects" -type f -print0)
}
