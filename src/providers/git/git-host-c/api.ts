import { createHash } from "node:crypto";
import { listOf, objectOf, scalarOf, textOf } from "../../../lib/foreign.ts";
import {
  type Caller,
  callHost,
  encodedPath,
  findInPages,
  mayFind,
  mustCall,
  mustRemove,
  refusal,
  searched,
} from "../call.ts";
import type {
  GitHostApi,
  HostAccess,
  HostBranch,
  HostEntry,
  HostPage,
  HostPlace,
  HostRepository,
  PageAsked,
} from "../git-host.ts";
import { findHookIn, findKeyIn, type Pages } from "../registrations.ts";

const label = "Bitbucket";

/**
 * Bitbucket Cloud's REST API. With a user name the token is an API token of that account; without one it is an access token
 * of a repository, project or workspace, which has no account.
 */
export const gitHostC: GitHostApi = {
  async accountOf(access) {
    const { workspace } = access.credentials;
    const path = workspace ? `/workspaces/${encodeURIComponent(workspace)}` : "/user";
    const account = objectOf((await mustCall(callerOf(access), { path }, workspace ?? "the account")).body);
    return textOf(account.slug) || textOf(account.username) || textOf(account.display_name);
  },
  listRepositories: (access, page) =>
    searched(
      page,
      ({ path }) => path,
      (asked) => listRepositories(access, asked),
    ),
  listBranches: (access, path, page) =>
    list(access, { path: `${repositoryPath(path)}/refs/branches`, what: nameOf(path) }, page, branchOf),
  async getRepository(access, path) {
    return repositoryOf((await mustCall(callerOf(access), { path: repositoryPath(path) }, nameOf(path))).body);
  },
  async findCommit(access, path, branch) {
    const request = { path: `${repositoryPath(path)}/refs/branches/${encodedPath(branch)}` };
    const found = await mayFind(callerOf(access), request, nameOf(path));
    return found && branchOf(found.body).commitId;
  },
  async listDirectory(access, path, at) {
    // The slash at the end asks for a directory.
    const directory = at.place === "" ? sourceAt(path, at) : `${sourceAt(path, at)}/`;
    const entries: HostEntry[] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= mostTreePages; page++) {
      const { items, next } = await list(
        access,
        { path: directory, what: nameOf(path) },
        { cursor, perPage: 100 },
        objectOf,
      );
      entries.push(...items.flatMap(entryOf));
      if (next === null) break;
      cursor = next;
    }
    return entries;
  },
  async readFile(access, path, at) {
    const found = await mayFind(callerOf(access), { path: sourceAt(path, at), isFile: true }, nameOf(path));
    return found && Buffer.from(textOf(found.body));
  },
  async registerKey(access, path, { title, publicKey }) {
    const caller = callerOf(access);
    const body = { label: title, key: publicKey };
    const made = await callHost(caller, { method: "POST", path: `${repositoryPath(path)}/deploy-keys`, body });
    if (made.status < 300) return scalarOf(objectOf(made.body).id);
    const id = made.status === 400 ? await findKeyIn(keysOf(access, path), publicKey) : undefined;
    if (id === undefined) throw refusal(caller, made, `the deploy key of ${path}`);
    return id;
  },
  async removeKey(access, path, { id, publicKey }) {
    const known = id ?? (await findKeyIn(keysOf(access, path), publicKey));
    if (known !== undefined) {
      await mustRemove(callerOf(access), `${repositoryPath(path)}/deploy-keys/${encodeURIComponent(known)}`);
    }
  },
  async registerHook(access, path, { url, secret, isOurs }) {
    const id = await findHookIn(hooksOf(access, path), readHook, isOurs);
    const body = { description: "Longshore", url, secret, active: true, events: ["repo:push"] };
    const request =
      id === undefined
        ? ({ method: "POST", path: `${repositoryPath(path)}/hooks`, body } as const)
        : ({ method: "PUT", path: hookPath(path, id), body } as const);
    return textOf(objectOf((await mustCall(callerOf(access), request, `the webhook of ${path}`)).body).uuid);
  },
  async removeHook(access, path, { id, isOurs }) {
    const known = id ?? (await findHookIn(hooksOf(access, path), readHook, isOurs));
    if (known !== undefined) await mustRemove(callerOf(access), hookPath(path, known));
  },
  async showStatus(access, { path, commit }, { state, context, description, page, liveUrl }) {
    // The key has at most 40 characters, and a status with the same one replaces the former.
    const key = createHash("sha1").update(context).digest("hex");
    const body = { key, name: context, state: states[state], description, url: page ?? liveUrl };
    const request = { method: "POST", path: `${repositoryPath(path)}/commit/${commit}/statuses/build`, body } as const;
    await mustCall(callerOf(access), request, `the status of the commit ${commit.slice(0, 7)} of ${path}`);
  },
};

const states = {
  queued: "INPROGRESS",
  running: "INPROGRESS",
  succeeded: "SUCCESSFUL",
  failed: "FAILED",
  cancelled: "STOPPED",
} as const;

function callerOf({ apiUrl, credentials, signal }: HostAccess): Caller {
  const { username, token } = credentials;
  const basic = () => `Basic ${Buffer.from(`${username}:${token}`).toString("base64")}`;
  return { label, apiUrl, headers: { authorization: username ? basic() : `Bearer ${token}` }, signal };
}

const repositoryPath = (path: string): string => `/repositories/${encodedPath(path)}`;
const sourceAt = (path: string, { commit, place }: HostPlace): string =>
  `${repositoryPath(path)}/src/${encodeURIComponent(commit)}/${encodedPath(place)}`;

const mostTreePages = 3;

const entryOf = ({ type, path, attributes }: Record<string, unknown>): HostEntry[] => {
  const isDirectory = type === "commit_directory";
  const isRegular =
    type === "commit_file" && !listOf(attributes).some((each) => each === "link" || each === "subrepository");
  return isDirectory || isRegular ? [{ path: textOf(path).replace(/\/$/, ""), isDirectory }] : [];
};

// Ids of hooks are in braces.
const hookPath = (path: string, id: string): string => `${repositoryPath(path)}/hooks/${encodeURIComponent(id)}`;
const nameOf = (path: string): string => `the repository ${path}`;

/**
 * One workspace after the other: no list covers all of them. The cursor is the workspace and the query of its next page,
 * so that it cannot lead to another address.
 */
async function listRepositories(access: HostAccess, { cursor, perPage }: PageAsked): Promise<HostPage<HostRepository>> {
  const workspaces = await listWorkspaces(access);
  const [asked, ...inside] = (cursor ?? "").split("?");
  const workspace = asked || workspaces[0];
  if (workspace === undefined || !workspaces.includes(workspace)) return { items: [], next: null };
  const request = { path: `/repositories/${encodeURIComponent(workspace)}`, what: workspace };
  const page = { cursor: inside.join("?") || undefined, perPage };
  const { items, next } = await list(access, request, page, repositoryOf);
  if (next !== null) return { items, next: `${workspace}?${next}` };
  return { items, next: workspaces[workspaces.indexOf(workspace) + 1] ?? null };
}

async function listWorkspaces(access: HostAccess): Promise<string[]> {
  if (access.credentials.workspace) return [access.credentials.workspace];
  const slugs: string[] = [];
  await findInPages(
    (cursor) => list(access, { path: "/user/workspaces", what: "the workspaces" }, { cursor, perPage: 100 }, objectOf),
    (membership) => void slugs.push(textOf(objectOf(membership.workspace).slug)),
  );
  return slugs.sort();
}

/** The cursor is the query of the URL of the next page in the answer; the rest of the URL is not used. */
async function list<Item>(
  access: HostAccess,
  { path, what }: { path: string; what: string },
  { cursor, perPage, text }: PageAsked,
  read: (item: unknown) => Item,
): Promise<HostPage<Item>> {
  // In the host's language for conditions: `~` is contained in any case.
  const search: [string, string][] = text === undefined ? [] : [["q", `name ~ ${JSON.stringify(text)}`]];
  const query = cursor ?? new URLSearchParams([["pagelen", String(perPage)], ...search]).toString();
  const { body } = await mustCall(callerOf(access), { path: `${path}?${query}` }, what);
  const next = textOf(objectOf(body).next);
  const nextQuery = URL.canParse(next) ? new URL(next).search.slice(1) : "";
  return { items: listOf(objectOf(body).values).map(read), next: nextQuery || null };
}

function repositoryOf(value: unknown): HostRepository {
  const repository = objectOf(value);
  const links = objectOf(repository.links);
  const clone = listOf(links.clone).map(objectOf);
  return {
    path: textOf(repository.full_name),
    isPrivate: repository.is_private === true,
    defaultBranch: textOf(objectOf(repository.mainbranch).name) || null,
    sshUrl: textOf(clone.find((each) => each.name === "ssh")?.href),
    webUrl: textOf(objectOf(links.html).href),
  };
}

const branchOf = (value: unknown): HostBranch => ({
  name: textOf(objectOf(value).name),
  commitId: textOf(objectOf(objectOf(value).target).hash),
});

const keysOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    list(
      access,
      { path: `${repositoryPath(path)}/deploy-keys`, what: nameOf(path) },
      { cursor, perPage: 100 },
      objectOf,
    );

const hooksOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    list(
      access,
      { path: `${repositoryPath(path)}/hooks`, what: `the webhooks of ${path}` },
      { cursor, perPage: 100 },
      objectOf,
    );

const readHook = (hook: Record<string, unknown>) => ({ id: textOf(hook.uuid), url: textOf(hook.url) });
