// The calls to a git host's API, in terms that all of them share. The folder of each host has the same files: `api.ts`
// (this interface), `webhook.ts` (the form of its deliveries).

/** The credentials of a connected account. Secret, except for the names. */
export interface HostCredentials {
  token: string;
  /** Bitbucket: with it the token is an API token of that account, without it an access token. */
  username?: string | undefined;
  /** Bitbucket: the workspace that an access token belongs to, which the API does not show. */
  workspace?: string | undefined;
}

/** The address of the API and the credentials. */
export interface HostAccess {
  /** The root of the API, without a trailing slash. */
  apiUrl: string;
  credentials: HostCredentials;
  signal?: AbortSignal | undefined;
}

export interface HostRepository {
  /** `owner/name`, the host's current path: repositories are renamed and moved. */
  path: string;
  isPrivate: boolean;
  defaultBranch: string | null;
  /** How git fetches it with a deploy key; the host reports its own SSH port. */
  sshUrl: string;
  webUrl: string;
}

export interface HostBranch {
  name: string;
  commitId: string;
}

/** A part of a list. Pass `next` back to get the following part; null at the end. The host defines its text. */
export interface HostPage<Item> {
  items: Item[];
  next: string | null;
}

export interface PageAsked {
  cursor: string | undefined;
  /** At most 100. */
  perPage: number;
  /** Only those whose path or name contains this, in any case. A page may then have fewer, or none, and be followed by another. */
  text?: string | undefined;
}

/** A regular file or a directory of a commit. */
export interface HostEntry {
  /** From the root of the repository. */
  path: string;
  isDirectory: boolean;
}

/** A place in a repository; the root is an empty text. */
export interface HostPlace {
  commit: string;
  place: string;
}

/** A key that may read one repository. */
export interface DeployKey {
  title: string;
  publicKey: string;
}

export interface Hook {
  url: string;
  secret: string;
  /** Whether pushed tags are wanted, for hosts that report them apart. */
  tags: boolean;
  /** Recognizes our hook by its URL, also a hook that was created under a former address of the installation. */
  isOurs: (url: string) => boolean;
}

/** A commit of a repository. */
export interface CommitPlace {
  /** Of the repository: `owner/name`, its present one. */
  path: string;
  commit: string;
}

/** How a deployment of a commit stands. */
export interface DeploymentReport {
  /** Names this deployment alone, of this installation and of others. */
  key: string;
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** Names what shows it beside what others report about the commit: the same for all deployments of a project. */
  context: string;
  environment: string;
  /** Or the tag that was deployed. */
  branch: string;
  isTag: boolean;
  /** At most 140 characters. */
  description: string;
  /** Its page in the console; undefined: there is no address for it. */
  page: string | undefined;
  /** Where visitors reach what it made live. */
  liveUrl: string;
}

/**
 * A git host's API. Everything is safe to repeat: existing registrations are found and corrected. Failures are AppErrors
 * whose sentence contains the host's answer; `permanent` ones last until a person changes something.
 */
export interface GitHostApi {
  /** The account that the credentials belong to. Refuses credentials that the host does not accept. */
  accountOf(access: HostAccess): Promise<string>;
  listRepositories(access: HostAccess, page: PageAsked): Promise<HostPage<HostRepository>>;
  listBranches(access: HostAccess, path: string, page: PageAsked): Promise<HostPage<HostBranch>>;
  getRepository(access: HostAccess, path: string): Promise<HostRepository>;
  /** The newest commit of a branch; undefined if there is no such branch or repository. */
  findCommit(access: HostAccess, path: string, branch: string): Promise<string | undefined>;
  /** What a directory contains, up to some hundred entries: no links and no submodules. */
  listDirectory(access: HostAccess, path: string, at: HostPlace): Promise<HostEntry[]>;
  /** A file; undefined if it is gone, or too large for an answer of the host. */
  readFile(access: HostAccess, path: string, at: HostPlace): Promise<Buffer | undefined>;
  /** Lets the key read the repository; resolves with the host's id for it, which is unknown after an interruption. */
  registerKey(access: HostAccess, path: string, key: DeployKey): Promise<string>;
  /** Without an id the key is searched for. Does nothing when it is gone. */
  removeKey(access: HostAccess, path: string, key: { id: string | null; publicKey: string }): Promise<void>;
  /** Makes the host report pushes; changes an existing hook of ours. Resolves with the host's id for it. */
  registerHook(access: HostAccess, path: string, hook: Hook): Promise<string>;
  removeHook(access: HostAccess, path: string, hook: { id: string | null; isOurs: Hook["isOurs"] }): Promise<void>;
  /** Shows at its commit how a deployment stands. */
  showStatus(access: HostAccess, at: CommitPlace, report: DeploymentReport): Promise<void>;
  /** The same in the list of deployments, at hosts that have one for others to write. */
  showDeployment?(access: HostAccess, at: CommitPlace, report: DeploymentReport): Promise<void>;
}
