import { type Script, sh } from "../sh.ts";

// Git LFS keeps large files beside the repository, which has a pointer to each: a text with the SHA-256 of the file. The user
// who fetches adds the files to the project's mirror together with its commit; the project's user copies them over their
// pointers when the release is written. LFS files of submodules are not supported.

/**
 * Bash for the end of a fetch that has set `commit`: fetches the files of Git LFS that it points to, and removes those that no
 * kept release points to. Relies on the functions of the fetch. Ends with a sentence for the reader when it fails.
 */
export const fetchLargeFiles: Script = sh`
  in_mirror() { git "\${options[@]}" -c remote.source.url="$url" --git-dir="$mirror" "$@"; }
  fetch_large_files() {
    in_mirror grep --quiet 'filter=lfs' "$commit" -- ':(glob)**/.gitattributes' || return 0
    command -v git-lfs > /dev/null || stop "The repository keeps files in Git LFS, which this server does not have yet. Run the setup of the server again, then deploy again."
    echo "Fetching files from Git LFS."
    if ! said=$(in_mirror lfs fetch source "$commit" 2>&1); then
      printf '%s\\n' "$said"
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
      [[ -n \${needed[\${object##*/}]:-} ]] || rm -f -- "$object"
    done < <(find "$mirror/lfs/objects" -type f -print0)
  }
  fetch_large_files`;

/** Bash that copies files of Git LFS over their pointers in the current directory; `mirror` and the index are set. */
export const exportLargeFiles: Script = sh`
  write_large_file() { # PATH
    local pointer object
    IFS= read -r -d '' -n 1000 pointer < "$1" || true
    [[ $pointer =~ ^version\\ https://git-lfs.github.com/spec/v1$'\\n'(.*$'\\n')?oid\\ sha256:([0-9a-f]{64})$'\\n' ]] || return 0
    object=\${BASH_REMATCH[2]}
    object=$mirror/lfs/objects/\${object:0:2}/\${object:2:2}/$object
    if [[ ! -r $object ]]; then
      printf 'The file %s of Git LFS is not in the mirror of the repository. Deploy again.\\n' "$1" >&2
      exit 1
    fi
    cp --reflink=auto -- "$object" "$1"
  }
  if [[ -d $mirror/lfs/objects ]]; then
    while IFS= read -r -d '' path; do
      if [[ -f $path && ! -L $path ]]; then write_large_file "$path"; fi
    done < <(GIT_LITERAL_PATHSPECS=0 git --git-dir="$mirror" --work-tree=. ls-files -z -- ':(attr:filter=lfs)')
  fi`;
