import { AppError } from "../../../lib/errors.ts";
import { listOf, objectOf, scalarOf, textOf } from "../../../lib/foreign.ts";
import {
  type Caller,
  callHost,
  encodedPath,
  findInPages,
  type HostRequest,
  listByNumber,
  mayFind,
  mustCall,
  mustRemove,
  refusal,
  searched,
} from "../call.ts";
import type {
  CommitPlace,
  DeploymentReport,
  GitHostApi,
  HostAccess,
  HostBranch,
  HostEntry,
  HostPlace,
  HostRepository,
} from "../git-host.ts";
import { findHookIn, findKeyIn, type Pages } from "../registrations.ts";

const label = "GitHub";

/** GitHub's REST API, also of an Enterprise server. Tokens are personal access tokens, classic or fine-grained. */
export const gitHostA: GitHostApi = {
  async accountOf(access) {
    const { body, headers } = await mustCall(callerOf(access), { path: "/user" }, "the account");
    // Classic tokens report their scopes; for fine-grained ones only an attempt shows them.
    const scopes = headers.get("x-oauth-scopes");
    if (scopes !== null && !scopes.split(",").some((scope) => scope.trim() === "repo")) {
      const sentence = "The token needs the scope repo: without it GitHub accepts neither deploy keys nor webhooks.";
      throw new AppError("refused", sentence, { permanent: true });
    }
    return textOf(objectOf(body).login);
  },
  listRepositories: (access, page) =>
    searched(
      page,
      ({ path }) => path,
      (asked) =>
        listByNumber(
          callerOf(access),
          { path: "/user/repos", query: { sort: "full_name" }, what: "the repositories" },
          { page: asked, read: repositoryOf },
        ),
    ),
  listBranches: (access, path, page) =>
    searched(
      page,
      ({ name }) => name,
      (asked) =>
        listByNumber(
          callerOf(access),
          { path: `${repositoryPath(path)}/branches`, what: nameOf(path) },
          { page: asked, read: branchOf },
        ),
    ),
  async getRepository(access, path) {
    return repositoryOf((await mustCall(callerOf(access), { path: repositoryPath(path) }, nameOf(path))).body);
  },
  async findCommit(access, path, branch) {
    const request = { path: `${repositoryPath(path)}/branches/${encodedPath(branch)}` };
    const found = await mayFind(callerOf(access), request, nameOf(path));
    return found && branchOf(found.body).commitId;
  },
  async listDirectory(access, path, at) {
    const found = await mayFind(callerOf(access), contentsAt(path, at), nameOf(path));
    return listOf(found?.body).map(objectOf).flatMap(entryOf);
  },
  async readFile(access, path, at) {
    const { content, encoding } = objectOf((await mayFind(callerOf(access), contentsAt(path, at), nameOf(path)))?.body);
    // Of a large file there is no content here.
    return encoding === "base64" ? Buffer.from(textOf(content), "base64") : undefined;
  },
  async registerKey(access, path, { title, publicKey }) {
    const caller = callerOf(access);
    const body = { title, key: publicKey, read_only: true };
    const made = await callHost(caller, { method: "POST", path: `${repositoryPath(path)}/keys`, body });
    if (made.status === 201) return scalarOf(objectOf(made.body).id);
    // A key is unique at GitHub: an earlier attempt may have added it.
    const id = made.status === 422 ? await findKeyIn(keysOf(access, path), publicKey) : undefined;
    if (id === undefined) throw refusal(caller, made, `the deploy key of ${path}`);
    return id;
  },
  async removeKey(access, path, { id, publicKey }) {
    const known = id ?? (await findKeyIn(keysOf(access, path), publicKey));
    if (known !== undefined)
      await mustRemove(callerOf(access), `${repositoryPath(path)}/keys/${encodeURIComponent(known)}`);
  },
  async registerHook(access, path, { url, secret, isOurs }) {
    const caller = callerOf(access);
    const id = await findHookIn(hooksOf(access, path), readHook, isOurs);
    const config = { url, secret, content_type: "json", insecure_ssl: "0" };
    const request =
      id === undefined
        ? ({ method: "POST", path: `${repositoryPath(path)}/hooks`, body: { name: "web", ...pushes, config } } as const)
        : ({ method: "PATCH", path: hookPath(path, id), body: { ...pushes, config } } as const);
    return scalarOf(objectOf((await mustCall(caller, request, `the webhook of ${path}`)).body).id);
  },
  async removeHook(access, path, { id, isOurs }) {
    const known = id ?? (await findHookIn(hooksOf(access, path), readHook, isOurs));
    if (known !== undefined) await mustRemove(callerOf(access), hookPath(path, known));
  },
  async showStatus(access, { path, commit }, { state, context, description, page }) {
    const body = { state: statuses[state], context, description, target_url: page };
    const request = { method: "POST", path: `${repositoryPath(path)}/statuses/${commit}`, body } as const;
    await mustCall(callerOf(access), request, statusOf(commit, path));
  },
  async showDeployment(access, at, report) {
    const id = (await findDeployment(access, at, report)) ?? (await makeDeployment(access, at, report));
    const { state, description, page, liveUrl } = report;
    const body = {
      state: deploymentStates[state],
      description,
      log_url: page,
      ...(state === "succeeded" && { environment_url: liveUrl }),
    };
    const path = `${repositoryPath(at.path)}/deployments/${encodeURIComponent(id)}/statuses`;
    await mustCall(callerOf(access), { method: "POST", path, body }, `the deployment of ${at.path}`);
  },
};

const statuses = {
  queued: "pending",
  running: "pending",
  succeeded: "success",
  failed: "failure",
  cancelled: "error",
} as const;

const deploymentStates = {
  queued: "queued",
  running: "in_progress",
  succeeded: "success",
  failed: "failure",
  cancelled: "inactive",
} as const;

/** An earlier report, or one whose answer was lost, has made it. */
const findDeployment = (
  access: HostAccess,
  { path, commit }: CommitPlace,
  { environment, key }: DeploymentReport,
): Promise<string | undefined> =>
  findInPages(
    (cursor) =>
      listByNumber(
        callerOf(access),
        {
          path: `${repositoryPath(path)}/deployments`,
          query: { sha: commit, environment },
          what: `the deployments of ${path}`,
        },
        { page: { cursor, perPage: 100 }, read: objectOf },
      ),
    ({ id, payload }) => (textOf(objectOf(payload).longshore) === key ? scalarOf(id) : undefined),
  );

async function makeDeployment(
  access: HostAccess,
  { path, commit }: CommitPlace,
  { environment, key }: DeploymentReport,
): Promise<string> {
  const body = {
    ref: commit,
    environment,
    payload: { longshore: key },
    auto_merge: false,
    // Otherwise it is refused while a status of the commit is pending, as that of this deployment is.
    required_contexts: [],
  };
  const request = { method: "POST", path: `${repositoryPath(path)}/deployments`, body } as const;
  return scalarOf(objectOf((await mustCall(callerOf(access), request, `a deployment of ${path}`)).body).id);
}

const pushes = { active: true, events: ["push"] };

const callerOf = ({ apiUrl, credentials, signal }: HostAccess): Caller => ({
  label,
  apiUrl,
  headers: {
    authorization: `Bearer ${credentials.token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  },
  signal,
});

const repositoryPath = (path: string): string => `/repos/${encodedPath(path)}`;
const contentsAt = (path: string, { commit, place }: HostPlace): HostRequest => ({
  path: `${repositoryPath(path)}/contents/${encodedPath(place)}`,
  query: { ref: commit },
});

// Links have a type of their own. Submodules are shown as files that have no address.
const entryOf = ({ type, path, download_url: address }: Record<string, unknown>): HostEntry[] =>
  type === "dir" || (type === "file" && address !== null) ? [{ path: textOf(path), isDirectory: type === "dir" }] : [];

const hookPath = (path: string, id: string): string => `${repositoryPath(path)}/hooks/${encodeURIComponent(id)}`;
const nameOf = (path: string): string => `the repository ${path}`;
const statusOf = (commit: string, path: string): string => `the status of the commit ${commit.slice(0, 7)} of ${path}`;

function repositoryOf(value: unknown): HostRepository {
  const repository = objectOf(value);
  return {
    path: textOf(repository.full_name),
    isPrivate: repository.private === true,
    defaultBranch: textOf(repository.default_branch) || null,
    sshUrl: textOf(repository.ssh_url),
    webUrl: textOf(repository.html_url),
  };
}

const branchOf = (value: unknown): HostBranch => ({
  name: textOf(objectOf(value).name),
  commitId: textOf(objectOf(objectOf(value).commit).sha),
});

const keysOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    listByNumber(
      callerOf(access),
      { path: `${repositoryPath(path)}/keys`, what: nameOf(path) },
      { page: { cursor, perPage: 100 }, read: objectOf },
    );

const hooksOf =
  (access: HostAccess, path: string): Pages =>
  (cursor) =>
    listByNumber(
      callerOf(access),
      { path: `${repositoryPath(path)}/hooks`, what: `the webhooks of ${path}` },
      { page: { cursor, perPage: 100 }, read: objectOf },
    );

const readHook = (hook: Record<string, unknown>) => ({ id: scalarOf(hook.id), url: textOf(objectOf(hook.config).url) });
