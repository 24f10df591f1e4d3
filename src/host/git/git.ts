import type { ProjectLayout, ReleaseName } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { type HostAddresses, submoduleRefs } from "./submodules.ts";

const script = scriptsBeside(import.meta.url);

/** The types of git source that stand for a host: its name, and the paths of its pages below that of a repository. */
export const gitHosts = {
  git_host_a: {
    label: "GitHub",
    commitPath: "/commit/",
    comparison: (from: string, to: string) => `/compare/${from}...${to}`,
  },
  git_host_b: {
    label: "GitLab",
    commitPath: "/-/commit/",
    comparison: (from: string, to: string) => `/-/compare/${from}...${to}`,
  },
  git_host_c: {
    label: "Bitbucket",
    commitPath: "/commits/",
    // The newer one first, and a carriage return between them.
    comparison: (from: string, to: string) => `/branches/compare/${to}%0D${from}`,
  },
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
  const short = fromShortForm(value);
  if (short || type === "git") return short;
  const path = repositoryPath(value);
  if (path === undefined || !/^[A-Za-z0-9_.~/-]+$/.test(path) || path.startsWith("-")) return undefined;
  return { url: `${roots[type]}/${path}.git` };
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

/**
 * The page of a git host with the changes between two commits, by the addresses of their pages (`commitUrl`). Undefined where there
 * is none: they are the same, of different repositories, or of a host that is not known.
 */
export function compareUrl(from: string, to: string): string | undefined {
  // That of GitHub is the end of GitLab's.
  for (const type of ["git_host_b", "git_host_c", "git_host_a"] as const) {
    const [base, head] = [from, to].map((url) => commitPage(url, gitHosts[type].commitPath));
    if (!base || !head) continue;
    const isComparable = base.repository === head.repository && base.commit !== head.commit;
    return isComparable ? base.repository + gitHosts[type].comparison(base.commit, head.commit) : undefined;
  }
  return undefined;
}

function commitPage(url: string, path: string): { repository: string; commit: string } | undefined {
  const at = url.lastIndexOf(path);
  const commit = url.slice(at + path.length);
  return at !== -1 && /^[0-9a-f]{4,64}$/.test(commit) ? { repository: url.slice(0, at), commit } : undefined;
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
  /** The tag to which `commit` belongs, where the server sends no commit by its id. */
  tag?: string | undefined;
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
export const fetchCommit = (layout: ProjectLayout, source: GitSource, release: ReleaseName): Script => {
  const hosts = source.hosts ?? [];
  return script("fetch.sh", {
    mirror: layout.mirror,
    url: source.url,
    branch: source.branch,
    tag: source.tag ?? "",
    ref: releaseRef(release),
    wanted: source.commit ?? "",
    private_url: source.privateUrl ?? "",
    public_key: `${layout.deployKey}.pub`,
    known_hosts: layout.knownHosts,
    password_origin: source.access === "password" ? new URL(source.url).origin : "",
    submodule_refs: submoduleRefs(release),
    webs: hosts.map(({ web }) => web),
    sshs: hosts.map(({ ssh }) => ssh),
  });
};

/**
 * Values of as-git.sh. `as_git ARGUMENTS`: git in the project's mirror, run by root as the mirror's owner. The content of the mirror
 * came from a foreign server: root neither reads it itself nor follows its links.
 */
export const asGit = ({ gitUser, user, mirror }: ProjectLayout) => ({ git_user: gitUser, user, mirror });

/** `as_git`, for code that calls it. */
export const gitFunction = (layout: ProjectLayout): Script => script("as-git.sh", asGit(layout));

/** Removes the commit of a release from the mirror, as its owner; the next clean-up deletes what nothing else needs. */
export const dropReleaseRef = (layout: ProjectLayout, release: ReleaseName): Script =>
  lines(
    sh`as_git() { git ${`--git-dir=${layout.mirror}`} "$@"; }`,
    script("drop-refs.sh", { mirror: layout.mirror }),
    sh`drop_refs ${release}`,
  );

/**
 * Bash that writes the files of a release's commit into its directory; it runs as the project's user, who can only read
 * the mirror. Each release has its own index, so that only files that differ are written, also on repetition.
 */
export const exportCommit = (layout: ProjectLayout, release: ReleaseName, directory: string): Script =>
  script("export.sh", { directory, mirror: layout.mirror, ref: releaseRef(release) });
