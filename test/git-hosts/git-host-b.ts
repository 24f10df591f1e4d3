import { createHmac, randomUUID } from "node:crypto";
import {
  type Answer,
  type Asked,
  containing,
  type Delivered,
  type Dialect,
  entriesIn,
  type GitHost,
  type HostedDeployment,
  type HostedEntry,
  type HostedHook,
  type HostedRepository,
  isCommit,
  isKey,
  isSame,
  isUrl,
  pageOf,
  type SentPush,
  zeros,
} from "./host.ts";

/** GitLab: the encoded path is one segment, pages in headers, any number of hooks with one URL, two kinds of secrets. */
export const dialectB: Dialect = {
  root: "/api/v4",
  isAllowed: (headers, token) => headers["private-token"] === token || headers.authorization === `Bearer ${token}`,
  refused: { status: 401, body: { message: "401 Unauthorized" } },
  answer(host, asked) {
    if (asked.path === "/user") return { status: 200, body: { id: 1, username: host.account, name: "Acme" } };
    if (asked.path === "/projects") return list(asked, searchedProjects(host, asked).map(shown));
    const [, id, rest = ""] = /^\/projects\/([^/]+)(\/.*)?$/.exec(asked.path) ?? [];
    const renamed = id === undefined ? undefined : host.renamed.get(decodeURIComponent(id));
    // Methods other than GET find nothing under a former path.
    if (renamed !== undefined && asked.method === "GET") {
      return { status: 301, headers: { location: `${host.apiUrl}/projects/${encodeURIComponent(renamed)}${rest}` } };
    }
    const repository = id === undefined ? undefined : host.repositories.get(decodeURIComponent(id));
    return repository ? inProject(host, repository, asked, rest) : missing("Project");
  },
  deliver(repository, hook, push) {
    const body = JSON.stringify(eventOf(repository, push));
    const id = randomUUID();
    const headers = {
      "content-type": "application/json",
      "x-gitlab-event": push.tag ? "Tag Push Hook" : "Push Hook",
      "x-gitlab-event-uuid": randomUUID(),
      "idempotency-key": id,
    };
    return hook.isPlain
      ? { body, headers: { ...headers, "x-gitlab-token": hook.secret } }
      : signed({ body, headers }, id, hook.secret);
  },
};

/** The newer scheme: id, time and body, with the key that the token stands for. */
export function signed({ body, headers }: Delivered, id: string, token: string, at = Date.now()): Delivered {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(token.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    body,
    headers: {
      ...headers,
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
  };
}

/** Texts of less than three characters are names; only with search_namespaces the path counts. */
function searchedProjects(host: GitHost, { query }: Asked): HostedRepository[] {
  const [all, text] = [[...host.repositories.values()], query.get("search")];
  const nameOf = ({ path }: HostedRepository) => path.slice(path.lastIndexOf("/") + 1);
  if (text === null) return all;
  if (text.length < 3) return all.filter((each) => nameOf(each) === text);
  return containing(all, text, query.get("search_namespaces") === "true" ? ({ path }) => path : nameOf);
}

const missing = (what: string): Answer => ({ status: 404, body: { message: `404 ${what} Not Found` } });
const bad = (message: unknown): Answer => ({ status: 400, body: { message } });

function list({ query }: Asked, all: unknown[]): Answer {
  const { items, page, hasNext } = pageOf(all, query, "per_page", 20);
  return {
    status: 200,
    body: items,
    headers: { "x-page": String(page), "x-next-page": hasNext ? String(page + 1) : "" },
  };
}

function inProject(host: GitHost, repository: HostedRepository, asked: Asked, rest: string): Answer {
  if (rest === "") return { status: 200, body: shown(repository) };
  if (rest === "/repository/branches") {
    const branches = [...repository.branches].map(([name, id]) => ({ name, commit: { id } }));
    const text = asked.query.get("search") ?? "";
    if (text.startsWith("^") || text.endsWith("$")) throw new Error("A search with a place in the name");
    return list(
      asked,
      containing(branches, text, ({ name }) => name),
    );
  }
  if (rest.startsWith("/repository/branches/")) {
    const name = decodeURIComponent(rest.slice("/repository/branches/".length));
    const id = repository.branches.get(name);
    return id ? { status: 200, body: { name, commit: { id } } } : missing("Branch");
  }
  if (rest === "/repository/tree") return tree(repository, asked);
  if (rest.startsWith("/repository/files/")) {
    const text = repository.files.get(decodeURIComponent(rest.slice("/repository/files/".length)));
    if (text === undefined) return missing("File");
    return {
      status: 200,
      body: { size: text.length, encoding: "base64", content: Buffer.from(text).toString("base64") },
    };
  }
  if (rest.startsWith("/statuses/")) return statuses(repository, asked, rest.slice("/statuses/".length));
  if (rest.startsWith("/deployments")) return deployments(host, repository, asked, rest);
  if (rest.startsWith("/environments")) return environments(repository, asked, rest);
  const [, collection, id] = /^\/(deploy_keys|hooks)(?:\/([^/]+))?$/.exec(rest) ?? [];
  if (collection === "deploy_keys") return keys(host, repository, asked, id);
  if (collection === "hooks") return hooks(host, repository, asked, id);
  return missing("Page");
}

/** Directories first. */
function tree(repository: HostedRepository, asked: Asked): Answer {
  if (![...repository.branches.values()].includes(asked.query.get("ref") ?? "")) return missing("Tree");
  const entries = entriesIn(repository, asked.query.get("path") ?? "");
  if (!entries) return missing("invalid revision or path Tree");
  const shownEntry = ({ path, text }: HostedEntry) =>
    text === undefined ? { type: "tree", mode: "040000", path } : { type: "blob", mode: "100644", path };
  const others = [
    { type: "blob", mode: "120000", path: "link" },
    { type: "commit", mode: "160000", path: "themes" },
  ];
  const sorted = entries.toSorted((one, other) => Number(one.text !== undefined) - Number(other.text !== undefined));
  return list(asked, [...sorted.map(shownEntry), ...others]);
}

const shown = ({ id, path, isPrivate, sshUrl }: HostedRepository) => ({
  id,
  path_with_namespace: path,
  visibility: isPrivate ? "private" : "public",
  default_branch: "main",
  ssh_url_to_repo: sshUrl,
  web_url: `https://gitlab.com/${path}`,
});

function keys(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET")
    return list(
      asked,
      repository.keys.map((each) => ({ ...each, can_push: false })),
    );
  if (asked.method === "POST") {
    const { title, key, can_push: canPush } = asked.body;
    if (!isKey(key) || typeof title !== "string") return bad({ "deploy_key.key": ["is invalid"] });
    if (canPush !== false) return bad("a deploy key of tests only reads");
    if (repository.keys.some((each) => isSame(each.key, key))) {
      return bad({ "deploy_key.fingerprint_sha256": ["has already been taken"] });
    }
    const made = { id: host.newId(), title, key };
    repository.keys.push(made);
    return { status: 201, body: { ...made, can_push: false } };
  }
  return remove(repository.keys, (each) => String(each.id) === id);
}

function hooks(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET")
    return list(
      asked,
      repository.hooks.map((hook) => shownHook(host, hook)),
    );
  if (asked.method === "DELETE") return remove(repository.hooks, (each) => each.id === id);
  const { url, signing_token: signingToken, token, tag_push_events: tags } = asked.body;
  if (!isUrl(url)) return { status: 422, body: { error: "Invalid url given" } };
  const secret = host.knowsSigning ? (signingToken ?? token) : token;
  const changes = { url, secret: String(secret ?? ""), isPlain: !host.knowsSigning, tags: tags === true };
  if (asked.method === "PUT") {
    const hook = repository.hooks.find((each) => each.id === id);
    return hook ? { status: 200, body: shownHook(host, Object.assign(hook, changes)) } : missing("Hook");
  }
  const made = { id: String(host.newId()), ...changes };
  repository.hooks.push(made);
  return { status: 201, body: shownHook(host, made) };
}

const endStates = ["success", "failed", "canceled"];

/** One that has not ended changes to a further state only; after its end there is another one. */
function statuses(repository: HostedRepository, { method, body }: Asked, commit: string): Answer {
  if (method !== "POST" || !isCommit(commit)) return missing("Commit");
  const { state, name, description, target_url: url } = body;
  if (!["pending", "running", ...endStates].includes(String(state))) return bad("state does not have a valid value");
  if (typeof name !== "string" || typeof description !== "string" || description.length > 255)
    return bad("description");
  const made = { commit, name, state: String(state), description, url: url as string | undefined };
  const open = repository.statuses.findLast((each) => each.commit === commit && each.name === name);
  if (!open || endStates.includes(open.state)) repository.statuses.push(made);
  else if (open.state === state || state === "pending")
    return bad(`Cannot transition status via :${state} from :${open.state} (Reason(s): Status cannot transition)`);
  else Object.assign(open, made);
  return { status: 201, body: { status: state, name } };
}

function deployments(host: GitHost, repository: HostedRepository, asked: Asked, rest: string): Answer {
  const { method, query, body } = asked;
  const shownDeployment = ({ id, commit, environment, states }: HostedDeployment) => ({
    id,
    sha: commit,
    environment: { name: environment },
    status: states.at(-1),
  });
  const status = String(body.status);
  if (rest === "/deployments" && method === "GET") {
    if (query.get("order_by") !== "id" || query.get("sort") !== "desc") throw new Error("An order without the newest");
    const found = repository.deployments.filter(({ environment }) => environment === query.get("environment"));
    return list(asked, found.toReversed().map(shownDeployment));
  }
  if (!["running", ...endStates].includes(status)) return bad("status does not have a valid value");
  if (rest === "/deployments" && method === "POST") {
    const { environment, sha, ref, tag } = body;
    if (typeof environment !== "string" || !/^[\w ${}/.-]+$/.test(environment)) return bad({ name: ["is invalid"] });
    if (!isCommit(sha) || typeof ref !== "string" || typeof tag !== "boolean") return bad("ref is missing");
    if (!repository.environments.has(environment)) repository.environments.set(environment, null);
    const named = `${tag ? "tag" : "branch"} ${ref}`;
    const made = {
      id: host.newId(),
      commit: sha,
      ref: named,
      environment,
      payload: null,
      states: [status],
      url: undefined,
    };
    repository.deployments.push(made);
    return { status: 201, body: shownDeployment(made) };
  }
  const deployment = repository.deployments.find(({ id }) => rest === `/deployments/${id}`);
  if (!deployment || method !== "PUT") return missing("Deployment");
  if (deployment.states.at(-1) !== "running") return bad({ status: ["cannot transition"] });
  deployment.states.push(status);
  return { status: 200, body: shownDeployment(deployment) };
}

function environments({ environments: all }: HostedRepository, { method, query, body }: Asked, rest: string): Answer {
  const shownEnvironments = [...all].map(([name, url], at) => ({ id: at + 1, name, external_url: url }));
  if (method === "GET") {
    const found = shownEnvironments.filter(({ name }) => name === query.get("name"));
    return { status: 200, body: found };
  }
  const named = shownEnvironments.find(({ id }) => rest === `/environments/${id}`);
  if (!named || method !== "PUT" || !isUrl(body.external_url)) return missing("Environment");
  all.set(named.name, body.external_url);
  return { status: 200, body: { ...named, external_url: body.external_url } };
}

// Older versions neither accept nor show the newer fields.
const shownHook = ({ knowsSigning }: GitHost, { id, url, secret, isPlain }: HostedHook) => ({
  id: Number(id),
  url,
  push_events: true,
  ...(knowsSigning ? { token_present: isPlain === true, signing_token_present: secret !== "" && !isPlain } : {}),
});

function remove<Item>(items: Item[], isIt: (item: Item) => boolean): Answer {
  const at = items.findIndex(isIt);
  if (at < 0) return missing("Item");
  items.splice(at, 1);
  return { status: 204 };
}

function eventOf(repository: HostedRepository, push: SentPush) {
  const { branch, before, after, author, message, tag, tagObject } = push;
  const commit = { id: after, message: message ?? "A change", author: { name: author ?? "Sample Author" } };
  return {
    object_kind: tag ? "tag_push" : "push",
    ref: tag ?? `refs/heads/${branch}`,
    before: before ?? zeros,
    after: tagObject ?? after ?? zeros,
    checkout_sha: after,
    user_name: "Someone Else",
    project_id: repository.id,
    project: shown(repository),
    commits: after === null ? [] : [commit],
    total_commits_count: after === null ? 0 : 1,
  };
}
