import type { ReleaseName } from "../layout.ts";
import { lines, type Script, sh } from "../sh.ts";

/** Two addresses of the same repositories, prefixes of a path: `https://…/` for public access and `git@…:` with a key. */
export interface HostAddresses {
  web: string;
  ssh: string;
}

/**
 * The known git hosts: each by its root, preceded by the host that the two addresses of one repository show, since a
 * host may have its own SSH port.
 */
export function hostAddresses(
  roots: Readonly<Record<string, string>>,
  repository?: { web: string; ssh: string },
): HostAddresses[] {
  const byRoot = Object.values(roots).flatMap((root) => {
    const { hostname } = new URL(root);
    return [`git@${hostname}:`, `ssh://git@${hostname}/`].map((ssh) => ({ web: `${root}/`, ssh }));
  });
  const shown = repository && hostOf(repository);
  return shown ? [shown, ...byRoot] : byRoot;
}

// The part of both addresses before the path that they share.
function hostOf({ web, ssh }: { web: string; ssh: string }): HostAddresses | undefined {
  const path = /^(?:ssh:\/\/[^/]+\/|[^/:]+:)(.+?)(?:\.git)?$/.exec(ssh)?.[1];
  const bare = web.replace(/\.git$/, "");
  if (path === undefined || !/^https?:/.test(web) || !bare.endsWith(`/${path}`)) return undefined;
  return { web: bare.slice(0, -path.length), ssh: ssh.replace(/\.git$/, "").slice(0, -path.length) };
}

// The project's own mirror keeps the commits of submodules, by release as for its own commit: an object is the same in
// every repository.
const submoduleRefs = (release: ReleaseName): string => `refs/longshore/submodules/${release}`;

/**
 * Bash for the end of a fetch that has set `commit`: fetches the commits of its submodules, and of theirs. It tries each
 * public address first, then SSH with the project's deploy key. Relies on the functions of the fetch.
 */
export const fetchSubmodules = (release: ReleaseName, hosts: readonly HostAddresses[]): Script =>
  lines(
    sh`
      submodules=${submoduleRefs(release)}
      webs=(${hosts.map(({ web }) => web)}) sshs=(${hosts.map(({ ssh }) => ssh)})`,
    listing,
    fetching,
    sh`fetch_submodules "$commit" "" "$url" 0`,
  );

/**
 * Bash that writes the files of a commit's submodules below the current directory, which already has the commit's own
 * files; `mirror` is set.
 */
export const exportSubmodules = (commit: string): Script =>
  lines(listing, exporting, sh`export_submodules ${commit} ""`);

/** Bash that removes what submodules of an earlier commit left in a directory that is written again; `mirror` is set. */
export const dropLeftSubmodules = (directory: string, commit: string): Script => sh`
  for kept in ${directory}/.longshore/submodules/*/path; do
    [[ -e $kept ]] || continue
    path=$(< "$kept")
    if [[ $(git --git-dir="$mirror" ls-tree ${commit} -- "$path") = "160000 "* ]]; then continue; fi
    rm -rf -- ${directory}/"$path" "\${kept%/path}"
  done`;

// Sets `links` to the commits in a tree that are not its own, as listed by ls-tree.
const listing = sh`
  has_submodules() { git --git-dir="$mirror" cat-file -e "$1:.gitmodules" 2> /dev/null; } # COMMIT
  list_links() { # COMMIT
    mapfile -d '' -t links < <(git --git-dir="$mirror" ls-tree -r -z "$1" | grep -z '^160000 ')
  }
  path_of() { printf '%s' "\${1#*$'\\t'}"; } # LINK
  commit_of() { # LINK
    local word=\${1%%$'\\t'*}
    printf '%s' "\${word##* }"
  }`;

const fetching = sh`
  # Addresses may be relative to the repository's own.
  resolve() { # BASE ADDRESS
    local base=\${1%/} rest=$2 separator=/
    while :; do
      case $rest in
        ./*) rest=\${rest#./} ;;
        ../*)
          rest=\${rest#../}
          case $base in
            */*) base=\${base%/*} ;;
            *:*) base=\${base%:*} separator=: ;;
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
    for at in "\${!webs[@]}"; do
      case $1 in
        "\${webs[at]}"*) private_url=\${sshs[at]}\${1#"\${webs[at]}"} && return ;;
        "\${sshs[at]}"*) private_url=$1 url=\${webs[at]}\${1#"\${sshs[at]}"} && return ;;
      esac
    done
  }
  # Sets address_of, by path.
  read_addresses() { # COMMIT
    local -A paths=() addresses=()
    local entries entry name
    mapfile -d '' -t entries < <(git --git-dir="$mirror" config --null --blob "$1:.gitmodules" --get-regexp '^submodule[.].+[.](path|url)$')
    for entry in "\${entries[@]}"; do
      name=\${entry%%$'\\n'*}
      case $name in
        *.path) paths["\${name%.path}"]=\${entry#*$'\\n'} ;;
        *.url) addresses["\${name%.url}"]=\${entry#*$'\\n'} ;;
      esac
    done
    for name in "\${!paths[@]}"; do address_of["-\${paths[$name]}"]=\${addresses[$name]:-}; done
  }
  fetch_submodules() { # COMMIT PREFIX BASE DEPTH
    has_submodules "$1" || return 0
    local -A address_of=()
    local links link path
    read_addresses "$1"
    list_links "$1"
    for link in "\${links[@]}"; do
      path=$(path_of "$link")
      fetch_submodule "$2$path" "$(commit_of "$link")" "\${address_of["-$path"]:-}" "$3" "$4"
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
    wanted=$2 ref=$submodules/$2 all=$submodules/all-$2 whose="The submodule $1 cannot be fetched. "
    rm -f -- "$mirror/$ref.lock"
    has_commit || echo "Fetching the submodule $1 from $url."
    attempt
    keep_wanted
    fetch_submodules "$2" "$1/" "$url" $(($5 + 1))
  }`;

// Each submodule has its own index, so that only files that differ are written.
const exporting = sh`
  export_submodules() { # COMMIT PREFIX
    has_submodules "$1" || return 0
    local links link path commit own
    list_links "$1"
    for link in "\${links[@]}"; do
      path=$2$(path_of "$link") commit=$(commit_of "$link")
      # Without an address it was not fetched.
      git --git-dir="$mirror" cat-file -e "$commit^{commit}" 2> /dev/null || continue
      own=.longshore/submodules/$(printf '%s' "$path" | sha256sum | cut -c 1-32)
      mkdir -p -- "$own" "./$path"
      printf '%s' "$path" > "$own/path"
      GIT_INDEX_FILE=$PWD/$own/index git --git-dir="$mirror" --work-tree="./$path" read-tree --reset -u "$commit"
      export_submodules "$commit" "$path/"
    done
  }`;
