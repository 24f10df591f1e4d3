import { findInPages, idOf, textOf } from "./call.ts";

// The calls to a git host's API, in words that are the same for all of them. A folder for each host holds the
// same files: `api.ts` (this interface), `webhook.ts` (what its deliveries look like).

/** The credentials of a connected account. Secret, but for the names. */
export interface HostCredentials {
  token: string;
  /** Bitbucket: with it the token is an API token of that account, without it an access token. */
  username?: string | undefined;
  /** Bitbucket: the workspace that an access token belongs to, which cannot be asked for. */
  workspace?: string | undefined;
}

/** The address of the API and the credentials. */
export interface HostAccess {
  /** The root of the API, without a slash at the end. */
  apiUrl: string;
  credentials: HostCredentials;
  signal?: AbortSignal | undefined;
}

export interface HostRepository {
  /** `owner/name`, as the host calls it now: repositories are renamed and moved. */
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

/** A part of a list. `next` is handed back to get the part after it; null at the end. Its text is the host's own. */
export interface HostPage<Item> {
  items: Item[];
  next: string | null;
}

export interface PageAsked {
  cursor: string | undefined;
  /** At most 100. */
  perPage: number;
}

/** A key that may read one repository. */
export interface DeployKey {
  title: string;
  publicKey: string;
}

export interface Hook {
  url: string;
  secret: string;
  /** Recognizes our hook by its URL, also one that was made under a former address of the installation. */
  isOurs: (url: string) => boolean;
}

/**
 * A git host's API. Everything is safe to repeat: what is there already is found and put right. Failures are AppErrors whose
 * sentence has the host's answer; `permanent` ones stay until a person changes something.
 */
export interface GitHostApi {
  /** The account that the credentials belong to. Refuses credentials that the host does not take. */
  accountOf(access: HostAccess): Promise<string>;
  listRepositories(access: HostAccess, page: PageAsked): Promise<HostPage<HostRepository>>;
  listBranches(access: HostAccess, path: string, page: PageAsked): Promise<HostPage<HostBranch>>;
  getRepository(access: HostAccess, path: string): Promise<HostRepository>;
  /** Lets the key read the repository; resolves with the host's id of it, which an interruption may keep from being known. */
  registerKey(access: HostAccess, path: string, key: DeployKey): Promise<string>;
  /** Without an id it is looked for. Nothing happens when it is gone. */
  removeKey(access: HostAccess, path: string, key: { id: string | null; publicKey: string }): Promise<void>;
  /** Makes the host report pushes; an existing hook of ours is changed. Resolves with the host's id of it. */
  registerHook(access: HostAccess, path: string, hook: Hook): Promise<string>;
  removeHook(access: HostAccess, path: string, hook: { id: string | null; isOurs: Hook["isOurs"] }): Promise<void>;
}

// Finding registrations -----------------------------------------------------------------------------------------------------

/** A list of the host, page by page. */
export type Pages = (cursor?: string) => Promise<HostPage<Record<string, unknown>>>;

/** The host's id of a key. */
export const findKeyIn = (pages: Pages, publicKey: string): Promise<string | undefined> =>
  findInPages(pages, (key) => (isSameKey(textOf(key.key), publicKey) ? idOf(key.id) : undefined));

/** The host's id of our hook; `read` gets the fields of the host's answer. */
export const findHookIn = (
  pages: Pages,
  read: (hook: Record<string, unknown>) => { id: string; url: string },
  isOurs: Hook["isOurs"],
): Promise<string | undefined> =>
  findInPages(pages, (hook) => {
    const { id, url } = read(hook);
    return isOurs(url) ? id : undefined;
  });

// Whatever comment they carry.
const isSameKey = (one: string, other: string): boolean => materialOf(one) === materialOf(other);

const materialOf = (key: string): string => key.trim().split(/\s+/).slice(0, 2).join(" ");
