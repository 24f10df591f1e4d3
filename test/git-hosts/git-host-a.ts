import { createHmac, randomUUID } from "node:crypto";
import {
  type Answer,
  type Asked,
  type Dialect,
  entriesIn,
  type GitHost,
  type HostedEntry,
  type HostedHook,
  type HostedKey,
  type HostedRepository,
  isCommit,
  isKey,
  isUrl,
  pageOf,
  type SentPush,
  zeros,
} from "./host.ts";

/** GitHub: bare arrays with a Link header, keys unique over the whole host, 404 for hidden objects. */
export const dialectA: Dialect = {
  root: "",
  isAllowed: (headers, token) => headers.authorization === `Bearer ${token}` && headers["user-agent"] !== undefined,
  refused: { status: 401, body: { message: "Bad credentials" } },
  answer(host, asked) {
    if (asked.method === "GET" && asked.path === "/user") {
      return { status: 200, headers: { "x-oauth-scopes": "read:user, repo" }, body: { login: host.account, id: 1 } };
    }
    if (asked.path === "/user/repos") return list(host, asked, [...host.repositories.values()].map(shown));
    const [, path, rest = ""] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(asked.path) ?? [];
    const renamed = path === undefined ? undefined : host.renamed.get(decodeURIComponent(path));
    if (renamed !== undefined) {
      const location = `${host.apiUrl}/repos/${renamed}${rest}`;
      return { status: asked.method === "GET" ? 301 : 307, headers: { location }, body: { message: "Moved" } };
    }
    const repository = path === undefined ? undefined : host.repositories.get(decodeURIComponent(path));
    return repository ? inRepository(host, repository, asked, rest) : missing;
  },
  deliver(repository, hook, push) {
    const body = JSON.stringify(eventOf(repository, push));
    return {
      body,
      headers: {
        "content-type": "application/json",
        "x-github-event": "push",
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": `sha256=${createHmac("sha256", hook.secret).update(body).digest("hex")}`,
      },
    };
  },
};

const missing: Answer = { status: 404, body: { message: "Not Found" } };
const unfit = (message: string): Answer => ({
  status: 422,
  body: { message: "Validation Failed", errors: [{ message }] },
});

function list(host: GitHost, { path, query }: Asked, all: unknown[]): Answer {
  const { items, page, size, hasNext } = pageOf(all, query, "per_page", 30);
  const next = `<${host.apiUrl}${path}?per_page=${size}&page=${page + 1}>; rel="next"`;
  return { status: 200, body: items, ...(hasNext ? { headers: { link: next } } : {}) };
}

function inRepository(host: GitHost, repository: HostedRepository, asked: Asked, rest: string): Answer {
  const [, collection = "", id] = /^\/([a-z]+)(?:\/([^/]+))?$/.exec(rest) ?? [];
  if (rest.startsWith("/branches/")) {
    const name = decodeURIComponent(rest.slice("/branches/".length));
    const sha = repository.branches.get(name);
    return sha ? { status: 200, body: { name, commit: { sha } } } : missing;
  }
  if (rest.startsWith("/contents/"))
    return contents(repository, asked, decodeURIComponent(rest.slice("/contents/".length)));
  if (rest === "") return asked.method === "GET" ? { status: 200, body: shown(repository) } : missing;
  if (collection === "branches") {
    const branches = [...repository.branches].map(([name, sha]) => ({ name, commit: { sha }, protected: false }));
    return list(host, asked, branches);
  }
  if (collection === "keys") return keys(host, repository, asked, id);
  if (collection === "hooks") return hooks(host, repository, asked, id);
  if (collection === "statuses") return statuses(repository, asked, id);
  if (rest.startsWith("/deployments")) return deployments(host, repository, asked, rest);
  return missing;
}

/** A directory is a list without contents, and a file has one of up to 1 MB. */
function contents(repository: HostedRepository, { query }: Asked, place: string): Answer {
  if (![...repository.branches.values()].includes(query.get("ref") ?? "")) return missing;
  const text = repository.files.get(place);
  if (text !== undefined) {
    const isLarge = text.length > 2 ** 20;
    const content = isLarge ? "" : Buffer.from(text).toString("base64").replace(/.{60}/g, "$&\n");
    return {
      status: 200,
      body: { type: "file", path: place, size: text.length, encoding: isLarge ? "none" : "base64", content },
    };
  }
  const entries = entriesIn(repository, place);
  if (!entries) return missing;
  const shownEntry = ({ path, text }: HostedEntry) =>
    text === undefined
      ? { type: "dir", path, size: 0, download_url: null }
      : { type: "file", path, size: text.length, download_url: `https://raw.example.com/${path}` };
  const submodule = { type: "file", path: "themes", size: 0, download_url: null };
  return { status: 200, body: [...entries.map(shownEntry), { type: "symlink", path: "link", size: 3 }, submodule] };
}

const shown = ({ id, path, isPrivate, sshUrl }: HostedRepository) => ({
  id,
  full_name: path,
  private: isPrivate,
  default_branch: "main",
  ssh_url: sshUrl,
  html_url: `https://github.com/${path}`,
});

function keys(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET") return list(host, asked, repository.keys.map(shownKey));
  if (asked.method === "POST") {
    const { title, key, read_only: readOnly } = asked.body;
    if (!isKey(key)) return unfit("key is invalid. You must supply a key in OpenSSH public key format");
    if (readOnly !== true || typeof title !== "string") return unfit("a deploy key of tests only reads");
    if (host.hasKey(key)) return unfit("key is already in use");
    // The comment is not kept.
    const made = { id: host.newId(), title, key: key.split(" ").slice(0, 2).join(" ") };
    repository.keys.push(made);
    return { status: 201, body: shownKey(made) };
  }
  return remove(repository.keys, (each) => String(each.id) === id);
}

const shownKey = ({ id, title, key }: HostedKey) => ({ id, title, key, read_only: true, verified: true });

function hooks(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET") return list(host, asked, repository.hooks.map(shownHook));
  if (asked.method === "DELETE") return remove(repository.hooks, (each) => each.id === id);
  const config = (asked.body.config ?? {}) as Record<string, unknown>;
  if (!isUrl(config.url) || config.content_type !== "json" || config.insecure_ssl !== "0") return unfit("bad config");
  if (!(asked.body.events as string[] | undefined)?.includes("push")) return unfit("no events");
  const changes = { url: config.url, secret: String(config.secret) };
  if (asked.method === "PATCH") {
    const hook = repository.hooks.find((each) => each.id === id);
    return hook ? { status: 200, body: shownHook(Object.assign(hook, changes)) } : missing;
  }
  if (repository.hooks.some((each) => each.url === config.url)) {
    return unfit("Hook already exists on this repository");
  }
  const made = { id: String(host.newId()), ...changes };
  repository.hooks.push(made);
  return { status: 201, body: shownHook(made) };
}

/** All are kept, and the newest of a context counts. */
function statuses(repository: HostedRepository, { method, body }: Asked, commit: string | undefined): Answer {
  if (method !== "POST" || !isCommit(commit)) return missing;
  const { state, context, description, target_url: url } = body;
  if (!["error", "failure", "pending", "success"].includes(String(state))) return unfit("state is not included");
  if (typeof context !== "string" || typeof description !== "string" || description.length > 140)
    return unfit("description is too long (maximum is 140 characters)");
  repository.statuses.push({
    commit,
    name: context,
    state: String(state),
    description,
    url: url as string | undefined,
  });
  return { status: 201, body: { state, context } };
}

const deploymentStates = ["error", "failure", "inactive", "in_progress", "queued", "pending", "success"];

function deployments(host: GitHost, repository: HostedRepository, asked: Asked, rest: string): Answer {
  const { method, query, body } = asked;
  if (rest === "/deployments" && method === "GET") {
    const asList = repository.deployments.filter(
      ({ commit, environment }) => commit === query.get("sha") && environment === query.get("environment"),
    );
    return list(
      host,
      asked,
      asList.map(({ id, commit, environment, payload }) => ({ id, sha: commit, environment, payload })),
    );
  }
  if (rest === "/deployments" && method === "POST") {
    const { ref: commit, environment, payload, required_contexts: required } = body;
    if (!isCommit(commit) || typeof environment !== "string") return unfit("No ref found");
    const isPending = repository.statuses.findLast((each) => each.commit === commit)?.state !== "success";
    if (isPending && !(Array.isArray(required) && required.length === 0))
      return { status: 409, body: { message: "Conflict: Commit status checks failed for main." } };
    const id = host.newId();
    repository.deployments.push({ id, commit, environment, payload, states: [], url: undefined });
    return { status: 201, body: { id, sha: commit, environment, payload } };
  }
  const [, id] = /^\/deployments\/(\d+)\/statuses$/.exec(rest) ?? [];
  const deployment = repository.deployments.find((each) => String(each.id) === id);
  if (!deployment || method !== "POST") return missing;
  const { state, environment_url: url } = body;
  if (!deploymentStates.includes(String(state))) return unfit("state is not included in the list");
  deployment.states.push(String(state));
  deployment.url = url as string | undefined;
  return { status: 201, body: { id: host.newId(), state } };
}

const shownHook = ({ id, url }: HostedHook) => ({
  id: Number(id),
  name: "web",
  active: true,
  events: ["push"],
  config: { url, content_type: "json", insecure_ssl: "0", secret: "********" },
});

function remove<Item>(items: Item[], isIt: (item: Item) => boolean): Answer {
  const at = items.findIndex(isIt);
  if (at < 0) return missing;
  items.splice(at, 1);
  return { status: 204 };
}

function eventOf(repository: HostedRepository, push: SentPush) {
  const { branch, before, after, author, message, pushedAt, tag, tagObject } = push;
  const person = { name: author ?? "Sample Author", email: "author@example.com", username: "author" };
  const head = after === null ? null : { id: after, message: message ?? "A change", author: person };
  return {
    ref: tag ?? `refs/heads/${branch}`,
    before: before ?? zeros,
    after: tagObject ?? after ?? zeros,
    created: before === null,
    deleted: after === null,
    forced: false,
    head_commit: head,
    commits: head ? [head] : [],
    pusher: { name: "author", email: "author@example.com" },
    repository: { ...shown(repository), pushed_at: pushedAt ?? 1_790_000_000 },
  };
}
