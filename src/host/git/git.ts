import type { ProjectLayout, ReleaseName } from "../layout.ts";
import { lines, type Script, sh } from "../sh.ts";
import { exportLargeFiles, fetchLargeFiles } from "./lfs.ts";
import { dropLeftSubmodules, exportSubmodules, fetchSubmodules, type HostAddresses } from "./submodules.ts";

/** The types of git source that stand for a host: its name, and the path of a commit's page below that of a repository. */
export const gitHosts = {
  git_host_a: { label: "GitHub", commitPath: "/commit/" },
  git_host_b: { label: "GitLab", commitPath: "/-/commit/" },
  git_host_c: { label: "Bitbucket", commitPath: "/commits/" },
} as const;

export type GitHostType = keyof typeof gitHosts;
/** `git` accepts any URL. */
export type GitSourceType = GitHostType | "git";

/** The root URL of each host, without a trailing slash: the public service, or a self-hosted installation. */
export type GitRoots = Readonly<Record<GitHostType, string>>;

export const publicGitRoots: GitRoots = {
  git_host_a: "https://github.com",
  git_host_b: "https://gitlab.com",
  git_host_c: "https://bitbucket.org",
};

/** A repository in a form that can be shown and used in commands: its URL never contains a password. */
export interface Repository {
  url: string;
  /** The credentials in the text, as `https://user:password@…`; a secret, to be stored encrypted. */
  credentials?: { username: string; password: string };
}

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/;
const protocols = ["https:", "http:", "ssh:", "git:"];

/**
 * Reads a repository as a user writes it: `owner/name` on a known git host, or an http, https, ssh or git URL, or git's
 * short form `user@host:path`. Undefined for anything else, including local paths and other transports.
 */
export function parseRepository(
  text: string,
  type: GitSourceType,
  roots: GitRoots = publicGitRoots,
): Repository | undefined {
  const value = text.trim();
  if (value === "" || value.length > 2000 || value.startsWith("-") || control.test(value)) return undefined;
  if (value.includes("://")) return fromUrl(value);
  return fromShortForm(value) ?? (type === "git" ? undefined : fromPath(value, roots[type]));
}

function fromUrl(text: string): Repository | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isComplete = protocols.includes(url.protocol) && hostName.test(url.hostname) && url.pathname.length > 1;
  if (!isComplete || url.search || url.hash || / /.test(text)) return undefined;
  const username = decode(url.username);
  const password = decode(url.password);
  if (username === undefined || password === undefined) return undefined;
  if (username.startsWith("-") || control.test(username + password)) return undefined;
  if (url.protocol === "ssh:") return password ? undefined : { url: url.href };
  url.username = "";
  url.password = "";
  if (!username && !password) return { url: url.href };
  // Users often give a token as the name alone.
  return { url: url.href, credentials: password ? { username, password } : { username: "git", password: username } };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// git takes everything after the first colon as the path, including spaces and quotes.
function fromShortForm(text: string): Repository | undefined {
  const match = /^([A-Za-z0-9_][A-Za-z0-9_.-]*)@([^:/\s]+):(?!:)([^\s].*)$/.exec(text);
  if (!match || !hostName.test(match[2] as string) || (match[3] as string).startsWith("-")) return undefined;
  return { url: text };
}

function fromPath(text: string, root: string): Repository | undefined {
  const path = repositoryPath(text);
  if (path === undefined || !/^[A-Za-z0-9_.~/-]+$/.test(path) || path.startsWith("-")) return undefined;
  return { url: `${root}/${path}.git` };
}

/**
 * `owner/name` as a git host names it, also with several groups; undefined for anything else. It becomes part of a URL of
 * the host's API: a segment of dots would change that URL.
 */
export function repositoryPath(text: string): string | undefined {
  const path = text.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const parts = path.split("/");
  const isPath =
    parts.length >= 2 && parts.every((part) => /^[^\s?#\\\p{Cc}]+$/u.test(part) && !/^\.{1,2}$/.test(part));
  return isPath ? path : undefined;
}

/** The page of a commit on its git host; undefined where the page is unknown. */
export function commitUrl(repositoryUrl: string, commit: string, roots: GitRoots = publicGitRoots): string | undefined {
  const types = Object.keys(gitHosts) as GitHostType[];
  const type = types.find((type) => pathBelow(roots[type], repositoryUrl) !== undefined);
  if (!type) return undefined;
  const path = repositoryPath(pathBelow(roots[type], repositoryUrl) ?? "");
  return path && `${roots[type]}/${path}${gitHosts[type].commitPath}${commit}`;
}

// Whether it is fetched over https or over ssh, also in git's short form.
function pathBelow(root: string, repositoryUrl: string): string | undefined {
  const { host, hostname } = new URL(root);
  const starts = [`${root}/`, `git@${host}:`, `git@${hostname}:`, `ssh://git@${hostname}/`];
  const start = starts.find((start) => repositoryUrl.startsWith(start));
  return start === undefined ? undefined : repositoryUrl.slice(start.length);
}

/** `owner/name` of a repository on the git host of its type; undefined when it is on another host. */
export function pathOnHost(repositoryUrl: string, type: GitSourceType, roots: GitRoots): string | undefined {
  if (type === "git") return undefined;
  const path = pathBelow(roots[type], repositoryUrl);
  return path === undefined ? undefined : repositoryPath(path);
}

/** How a deploy key fetches a repository that has an http or https URL on a git host; undefined for any other URL. */
export function privateUrlOf(repositoryUrl: string, type: GitSourceType, roots: GitRoots): string | undefined {
  const path = /^https?:/.test(repositoryUrl) ? pathOnHost(repositoryUrl, type, roots) : undefined;
  return path === undefined || type === "git" ? undefined : `git@${new URL(roots[type]).hostname}:${path}.git`;
}

/** Whether git itself allows a branch name (git check-ref-format --branch). */
export function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.length > 240 || control.test(name)) return false;
  if (/[ ~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/.test(name)) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/**
 * How a fetch authenticates, in addition to the project's deploy key, which every fetch over SSH offers. `password`:
 * secret files `git-username` and `git-password`.
 */
export type GitAccess = "none" | "password";

export interface GitSource {
  url: string;
  /** The same repository over SSH, used when `url` is not publicly readable. */
  privateUrl?: string | undefined;
  branch: string;
  /** A specific commit instead of the newest of the branch. */
  commit?: string | undefined;
  access: GitAccess;
  /** The two addresses of each host by which submodules can be fetched, for relative and absolute URLs. */
  hosts?: readonly HostAddresses[] | undefined;
}

/** The ref that keeps the commit of a release, so that it can be built again without a fetch. */
export const releaseRef = (release: ReleaseName): string => `refs/longshore/releases/${release}`;

/**
 * Bash that fetches a source into the project's mirror and sets `commit`. It transfers only what is missing: the newest
 * state without history, compared to everything kept from earlier releases. It includes files of Git LFS and submodules.
 * Ends with a sentence for the reader when it fails.
 */
export const fetchCommit = (layout: ProjectLayout, source: GitSource, release: ReleaseName): Script =>
  lines(
    setting(layout, source, release),
    functions,
    // Deployments of a project never overlap, so an existing lock was left behind by a power cut.
    sh`
      for lock in "$mirror"/*.lock "$mirror/$ref.lock"; do [[ ! -e $lock ]] || rm -f -- "$lock"; done
      [[ -d $mirror/objects ]] || make_mirror`,
    attempt,
    sh`
      attempt
      [[ -z $wanted ]] || keep_wanted
      read -r commit 2>/dev/null < "$mirror/$ref" || commit=$(git --git-dir="$mirror" rev-parse "$ref^{commit}")`,
    fetchLargeFiles,
    fetchSubmodules(release, source.hosts ?? []),
  );

// git's messages are matched below: the server's locale must not change their language.
const setting = (layout: ProjectLayout, source: GitSource, release: ReleaseName): Script =>
  lines(
    sh`
      mirror=${layout.mirror} url=${source.url} branch=${source.branch} ref=${releaseRef(release)}
      wanted=${source.commit ?? ""} all=refs/longshore/all whose=''
      private_url=${source.privateUrl ?? ""} deploy_key=$LONGSHORE_SECRETS/deploy-key public_key=${layout.deployKey}.pub
      export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=http:https:ssh:git GIT_CONFIG_GLOBAL=/dev/null LC_ALL=C
      options=(-c http.lowSpeedLimit=1000 -c http.lowSpeedTime=30 -c fetch.unpackLimit=500 -c gc.auto=0)`,
    source.access === "password" && withPassword(source.url),
    sshCommand(layout),
  );

// git calls the helper for this one server only: a redirect to another host gets no password. The helper's text holds
// no secret.
const withPassword = (url: string): Script => sh`
  # shellcheck disable=SC2016
  helper='!answer() { [ "$1" = get ] || return 0; printf "username=%s\\npassword=%s\\n" "$(cat "$LONGSHORE_SECRETS/git-username")" "$(cat "$LONGSHORE_SECRETS/git-password")"; }; answer'
  options+=(-c credential.helper= -c credential.${new URL(url).origin}.helper="$helper")`;

// The server's own keys are not offered: they would open repositories that the project was never allowed to read.
const sshCommand = (layout: ProjectLayout): Script => sh`
  ssh=(ssh -F /dev/null -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o StrictHostKeyChecking=accept-new)
  ssh+=(-o UserKnownHostsFile=${layout.knownHosts} -o IdentitiesOnly=yes -o IdentityAgent=none -i "$deploy_key")
  export GIT_SSH_COMMAND="\${ssh[*]@Q}"`;

const functions = sh`
  make_mirror() {
    rm -rf -- "\${mirror:?}"/*
    git init --quiet --bare --template= "$mirror"
  }
  stop() { printf '%s\\n' "$whose$1" >&2; exit 1; }
  # Fetches into the release's ref; git's output is in $said.
  fetch() { said=$(git "\${options[@]}" --git-dir="$mirror" fetch --quiet --no-tags --no-write-fetch-head "$@" 2>&1); }
  fetch_or_repair() {
    fetch "$@" && return
    case $said in
      *"dumb http"*) fetch "\${@:2}" && return ;;
      *corrupt* | *" is empty"* | *"bad object"* | *"not a git repository"* | *"unable to read"*)
        echo "The copy of the repository on this server is damaged; fetching it again."
        make_mirror
        fetch "$@" && return ;;
    esac
    explain
  }
  # A repository that cannot be read this way may be readable over SSH, with the deploy key.
  try_privately() {
    [[ -n $private_url ]] || return
    echo "The repository is not public: fetching it over SSH with the project's deploy key."
    url=$private_url private_url=
    attempt
  }
  key_advice() {
    [[ $url != http* && -r $public_key ]] || return 0
    printf ' If it is private, add this deploy key to it with read access, and deploy again: %s' "$(< "$public_key")"
  }
  # The first of git's reasons that a person can act upon.
  explain() {
    printf '%s\\n' "$said"
    case $said in
      *"could not read Username"* | *"Authentication failed"* | *"error: 403"* | *"error: 401"* | *"not found"* | *"error: 404"*)
        ! try_privately || return 0 ;;
    esac
    case $said in
      *"couldn't find remote ref"*) stop "The branch $branch does not exist in the repository $url." ;;
      *"Host key verification failed"* | *"HOST IDENTIFICATION HAS CHANGED"*)
        stop "The host key of the git server is not the one seen before; the repository $url was not fetched." ;;
      *"could not read Username"* | *"Authentication failed"* | *"Permission denied"* | *"error: 403"* | *"error: 401"*)
        stop "The git server refused access to $url: the repository does not exist, or the key or token may not read it.$(key_advice)" ;;
      *"not found"* | *"does not appear to be a git repository"* | *"does not exist"* | *"error: 404"* | *"error: 410"*)
        stop "The repository $url does not exist, or it is hidden.$(key_advice)" ;;
      *"Could not resolve host"* | *"resolve hostname"* | *"unable to look up"*)
        stop "The name of the git server of $url could not be resolved." ;;
      *"refused"* | *"timed out"* | *"Failed to connect"* | *"Couldn't connect"* | *"unreachable"* | *"too slow"*)
        stop "The git server of $url could not be reached." ;;
      *"transport"*"not allowed"*) stop "The address $url is of a protocol that is not allowed, or leads to one." ;;
      *"No space left"*) stop "The server's disk is full." ;;
    esac
    stop "git could not fetch $url: \${said##*$'\\n'}"
  }`;

// Not every server sends a commit that no branch points to: then the whole branch is searched.
const attempt = sh`
  has_commit() { git --git-dir="$mirror" cat-file -e "$wanted^{commit}" 2>/dev/null; }
  fetch_wanted() {
    local depth=()
    if has_commit || fetch --depth=1 -- "$url" "+$wanted:$ref"; then return; fi
    case $said in
      *"not our ref"* | *"unadvertised object"* | *"couldn't find remote ref"* | *"dumb http"* | *"not found"*"$wanted"*)
        [[ ! -e $mirror/shallow ]] || depth=(--unshallow)
        fetch "\${depth[@]}" -- "$url" "+refs/heads/*:$all/*" || explain ;;
      *) explain ;;
    esac
  }
  attempt() {
    if [[ -n $wanted ]]; then fetch_wanted; else fetch_or_repair --depth=1 -- "$url" "+refs/heads/$branch:$ref"; fi
  }
  keep_wanted() {
    has_commit || stop "The commit $wanted does not exist in the repository $url."
    git --git-dir="$mirror" update-ref "$ref" "$wanted"
  }`;

/**
 * `as_git ARGUMENTS`: git in the project's mirror, run by root as the mirror's owner. The content of the mirror came from a
 * foreign server: root neither reads it itself nor follows its links.
 */
export const gitFunction = ({ gitUser, user, mirror }: ProjectLayout): Script => sh`
  as_git() {
    GIT_CONFIG_GLOBAL=/dev/null setpriv ${[`--reuid=${gitUser}`, `--regid=${user}`]} --clear-groups --no-new-privs -- git ${`--git-dir=${mirror}`} "$@"
  }`;

/** `drop_refs RELEASE` removes the refs of a release, so that the next clean-up may delete their objects; with `as_git`. */
export const dropRefs = ({ mirror }: Pick<ProjectLayout, "mirror">): Script => sh`
  drop_refs() {
    [[ -d ${mirror}/objects ]] || return 0
    as_git for-each-ref --format='delete %(refname)' -- \\
      "refs/longshore/releases/$1" "refs/longshore/submodules/$1" | as_git update-ref --stdin
  }`;

/** Removes the commit of a release from the mirror, as its owner; the next clean-up deletes what nothing else needs. */
export const dropReleaseRef = (layout: ProjectLayout, release: ReleaseName): Script =>
  lines(sh`as_git() { git ${`--git-dir=${layout.mirror}`} "$@"; }`, dropRefs(layout), sh`drop_refs ${release}`);

/**
 * Bash that writes the files of a release's commit into its directory; it runs as the project's user, who can only read
 * the mirror. Each release has its own index, so that only files that differ are written, also on repetition.
 */
export const exportCommit = (layout: ProjectLayout, release: ReleaseName, directory: string): Script =>
  lines(
    sh`
      cd -- ${directory}
      [[ -d .longshore ]] || mkdir .longshore
      export GIT_INDEX_FILE=${directory}/.longshore/index GIT_CONFIG_GLOBAL=/dev/null GIT_LITERAL_PATHSPECS=1 LC_ALL=C
      mirror=${layout.mirror}`,
    dropLeftSubmodules(directory, releaseRef(release)),
    sh`
      git --git-dir="$mirror" --work-tree=${directory} read-tree --reset -u ${releaseRef(release)}`,
    exportLargeFiles,
    exportSubmodules(releaseRef(release)),
  );
