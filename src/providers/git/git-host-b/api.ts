import { listOf, objectOf, scalarOf, textOf } from "../../../lib/foreign.ts";
import {
  type Caller,
  callHost,
  hasNextLink,
  type ListRequest,
  listByNumber,
  mayFind,
  mustCall,
  mustRemove,
  type PageReader,
  refusal,
  searched,
} from "../call.ts";
import type {
  GitHostApi,
  HostAccess,
  HostBranch,
  HostEntry,
  HostPage,
  HostRepository,
  PageAsked,
} from "../git-host.ts";
import { findHookIn, findKeyIn, type Pages } from "../registrations.ts";

const label = "GitLab";

/** GitLab's REST API, also self-managed. Tokens are personal, group or project access tokens with the scope `api`. */
export const gitHostB: GitHostApi = {
  async accountOf(access) {
    return textOf(objectOf((await mustCall(callerOf(access), { path: "/user" }, "the account")).body).username);
  },
  listRepositories(access, page) {
    const { text } = page;
    const query = { membership: "true", order_by: "id", sort: "asc" };
    const read = (more: object) => (asked: PageAsked) =>
      list(
        access,
        { path: "/projects", query: { ...query, ...more }, what: "the projects" },
        { page: asked, read: repositoryOf },
      );
    // GitLab looks for shorter texts only as whole names.
    return text === undefined || text.length < 3
      ? searched(page, (project) => project.path, read({}))
      : read({ search: text, search_namespaces: "true" })(page);
  },
  listBranches(access, path, page) {
    const { text } = page;
    const read = (query: Record<string, string>) => (asked: PageAsked) =>
      list(
        access,
        { path: `${projectPath(path)}/repository/branches`, query, what: nameOf(path) },
        { page: asked, read: branchOf },
      );
    // These characters mean something in GitLab's search.
    return text === undefined || /[$^*]/.test(text)
      ? searched(page, ({ name }) => name, read({}))
      : read({ search: text })(page);
  },
  async getRepository(access, path) {
    return repositoryOf((await mustCall(callerOf(access), { path: projectPath(path) }, nameOf(path))).body);
  },
  async findCommit(access, path, branch) {
    const request = { path: `${projectPath(path)}/repository/branches/${encodeURIComponent(branch)}` };
    const found = await mayFind(callerOf(access), request, nameOf(path));
    return found && branchOf(found.body).commitId;
  },
  async listDirectory(access, path, { commit, place }) {
    const request = {
      path: `${projectPath(path)}/repository/tree`,
      query: { ref: commit, path: place, per_page: 100 },
    };
    const entries: HostEntry[] = [];
    for (let page = 1; page <= mostTreePages; page++) {
      const found = await mayFind(callerOf(access), { ...request, query: { ...request.query, page } }, nameOf(path));
      entries.push(...listOf(found?.body).map(objectOf).flatMap(entryOf));
      if (!found || !hasNextPage(found.headers)) break;
    }
    return entries;
  },
  async readFile(access, path, { commit, place }) {
    const request = {
      path: `${projectPath(path)}/repository/files/${encodeURIComponent(place)}`,
      query: { ref: commit },
    };
    const found = await mayFind(callerOf(access), request, nameOf(path));
    return found && Buffer.from(textOf(objectOf(found.body).content), "base64");
  },
  async registerKey(access, path, { title, publicKey }) {
    const caller = callerOf(access);
    const body = { title, key: publicKey, can_push: false };
    const made = await callHost(caller, { method: "POST", path: `${projectPath(path)}/deploy_keys`, body });
    if (made.status === 201) return scalarOf(objectOf(made.body).id);
    const id = made.status === 400 ? await findKeyIn(keysOf(access, path), publicKey) : undefined;
    if (id === undefined) throw refusal(caller, made, `the deploy key of ${path}`);
    return id;
  },
  async removeKey(access, path, { id, publicKey }) {
    const known = id ?? (await findKeyIn(keysOf(access, path), publicKey));
    if (known !== undefined)
      await mustRemove(callerOf(access), `${projectPath(path)}/deploy_keys/${encodeURIComponent(known)}`);
  },
  async registerHook(access, path, { url, secret, tags, isOurs }) {
    // GitLab accepts any number of hooks with one URL, so the code searches for an existing hook first.
    const id = await findHookIn(hooksOf(access, path), readHook, isOurs);
    const events = { push_events: true, tag_push_events: tags };
    const body = { url, ...events, enable_ssl_verification: true, signing_token: secret };
    const hook = objectOf((await writeHook(access, path, id, body)).body);
    // GitLab before version 19 has no signing token and ignores it silently: then the secret is also sent in clear.
    const isSigned = hook.signing_token_present === true;
    if (!isSigned) await writeHook(access, path, scalarOf(hook.id), { ...body, token: secret });
    return scalarOf(hook.id);
  },
  async removeHook(access, path, { id, isOurs }) {
    const known = id ?? (await findHookIn(hooksOf(access, path), readHook, isOurs));
    if (known !== undefined) await mustRemove(callerOf(access), hookPath(path, known));
  },
  async showStatus(access, { path, commit }, { state, context, description, branch, page }) {
    const caller = callerOf(access);
    const body = { state: states[state], name: context, description, target_url: page, ref: branch || undefined };
    const answer = await callHost(caller, { method: "POST", path: `${projectPath(path)}/statuses/${commit}`, body });
    // GitLab refuses a state that it has already: an earlier attempt has reported it.
    const isThere = answer.status === 400 && /cannot transition status/i.test(textOf(objectOf(answer.body).message));
    if (answer.status >= 300 && !isThere)
      throw refusal(caller, answer, `the status of the commit ${commit.slice(0, 7)} of ${path}`);
  },
  async showDeployment(access, { path, commit }, { state, environment, branch, isTag, liveUrl }) {
    // GitLab lists what has begun.
    if (state === "queued") return;
    const name = environmentName(environment);
    const caller = callerOf(access);
    const status = states[state];
    const deployments = `${projectPath(path)}/deployments`;
    const query = { environment: name, order_by: "id", sort: "desc", per_page: 100 };
    const { body: all } = await mustCall(caller, { path: deployments, query }, `the deployments of ${path}`);
    const newest = listOf(all)
      .map(objectOf)
      .find(({ sha }) => sha === commit);
    if (newest?.status === status) return;
    const isOpen = newest?.status === "running";
    const request = isOpen
      ? ({ method: "PUT", path: `${deployments}/${scalarOf(newest.id)}`, body: { status } } as const)
      : ({
          method: "POST",
          path: deployments,
          body: { environment: name, sha: commit, ref: branch || commit, tag: isTag, status },
        } as const);
    await mustCall(caller, request, `the deployment of ${path}`);
    if (state === "succeeded") await setEnvironmentUrl(caller, path, { name, url: liveUrl });
  },
};

const states = {
  queued: "pending",
  running: "running",
  succeeded: "success",
  failed: "failed",
  cancelled: "canceled",
} as const;

/** GitLab refuses other characters. */
const environmentName = (text: string): string => text.replace(/[^A-Za-z0-9 _/${}.-]/g, "-").slice(0, 255);

async function setEnvironmentUrl(caller: Caller, path: string, { name, url }: { name: string; url: string }) {
  const environments = `${projectPath(path)}/environments`;
  const { body } = await mustCall(caller, { path: environments, query: { name } }, `the environments of ${path}`);
  const found = objectOf(listOf(body)[0]);
  if (found.id === undefined || found.external_url === url) return;
  const request = {
    method: "PUT",
    path: `${environments}/${scalarOf(found.id)}`,
    body: { external_url: url },
  } as const;
  await mustCall(caller, request, `the environment of ${path}`);
}

const callerOf = ({ apiUrl, credentials, signal }: HostAccess): Caller => ({
  label,
  apiUrl,
  headers: { "private-token": credentials.token },
  signal,
});

const mostTreePages = 3;

// The mode of a link is 120000; the type of a submodule is `commit`.
const entryOf = ({ type, mode, path }: Record<string, unknown>): HostEntry[] =>
  type === "tree" || (type === "blob" && textOf(mode).startsWith("100"))
    ? [{ path: textOf(path), isDirectory: type === "tree" }]
    : [];

// The whole path is one segment: its slashes are encoded.
const projectPath = (path: string): string => `/projects/${encodeURIComponent(path)}`;
const hookPath = (path: string, id: string): string => `${projectPath(path)}/hooks/${encodeURIComponent(id)}`;
const nameOf = (path: string): string => `the project ${path}`;

const writeHook = (access: HostAccess, path: string, id: string | undefined, body: object) =>
  mustCall(
    callerOf(access),
    id === undefined
      ? { method: "POST", path: `${projectPath(path)}/hooks`, body }
      : { method: "PUT", path: hookPath(path, id), body },
    `the webhook of ${path}`,
  );

const list = <Item>(access: HostAccess, request: ListRequest, reader: PageReader<Item>): Promise<HostPage<Item>> =>
  listByNumber(callerOf(access), request, { ...reader, hasNext: hasNextPage });

const hasNextPage = (headers: Headers): boolean =>
  headers.has("x-next-page") ? headers.get("x-next-page") !== "" : hasNextLink(headers);

function repositoryOf(value: unknown): HostRepository {
  const project = objectOf(value);
  return {
    path: textOf(project.path_with_namespace),
    isPrivate: project.visibility !== "public",
    defaultBranch: textOf(project.default_branch) || null,
    sshUrl: textOf(project.ssh_url_to_repo),
    webUrl: textOf(project.web_url),
  };
}

const branchOf = (value: unknown): HostBranch => ({
  name: textOf(objectOf(value).name),
  commitId: textOf(objectOf(objectOf(value).commit).id),
});

const keysOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    list(
      access,
      { path: `${projectPath(path)}/deploy_keys`, what: nameOf(path) },
      { page: { cursor, perPage: 100 }, read: objectOf },
    );

const hooksOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    list(
      access,
      { path: `${projectPath(path)}/hooks`, what: `the webhooks of ${path}` },
      { page: { cursor, perPage: 100 }, read: objectOf },
    );

const readHook = (hook: Record<string, unknown>) => ({ id: scalarOf(hook.id), url: textOf(hook.url) });
