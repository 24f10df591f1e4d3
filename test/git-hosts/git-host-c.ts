import { createHmac, randomUUID } from "node:crypto";
import {
  type Answer,
  type Asked,
  containing,
  type Dialect,
  entriesIn,
  type GitHost,
  type HostedEntry,
  type HostedHook,
  type HostedRepository,
  isKey,
  isUrl,
  pageOf,
  type SentPush,
} from "./host.ts";

/** Bitbucket Cloud: lists by workspace and by opaque next links, ids in braces, 200 for a created key. */
export const dialectC: Dialect = {
  root: "/2.0",
  isAllowed: ({ authorization }, token) =>
    authorization === `Bearer ${token}` ||
    authorization === `Basic ${Buffer.from(`bot@example.com:${token}`).toString("base64")}`,
  refused: { status: 401, body: { type: "error", error: { message: "Token is invalid, expired, or not supported." } } },
  answer(host, asked) {
    const { path } = asked;
    if (path === "/user") return user(host, asked);
    if (path === "/user/workspaces")
      return list(
        host,
        asked,
        workspacesOf(host).map((slug) => ({ workspace: { slug } })),
      );
    const workspace = /^\/workspaces\/([^/]+)$/.exec(path)?.[1];
    if (workspace !== undefined)
      return workspacesOf(host).includes(workspace) ? { status: 200, body: { slug: workspace } } : missing;
    if (path === "/workspaces" || path === "/repositories") return { status: 410 };
    const [, owner, name, rest = ""] = /^\/repositories\/([^/]+)(?:\/([^/]+)(\/.*)?)?$/.exec(path) ?? [];
    if (owner !== undefined && name === undefined) {
      const inside = [...host.repositories.values()].filter((each) => each.path.startsWith(`${owner}/`));
      return list(host, asked, inside.map(shown));
    }
    const repository = host.repositories.get(`${owner}/${name}`);
    return repository ? inRepository(host, repository, asked, rest) : missing;
  },
  deliver(repository, hook, push) {
    const body = JSON.stringify(eventOf(repository, push));
    return {
      body,
      headers: {
        "content-type": "application/json",
        "x-event-key": "repo:push",
        "x-request-uuid": randomUUID(),
        "x-attempt-number": "1",
        "x-hub-signature": `sha256=${createHmac("sha256", hook.secret).update(body).digest("hex")}`,
      },
    };
  },
};

const missing: Answer = { status: 404, body: { type: "error", error: { message: "Not found" } } };
const bad = (message: string): Answer => ({ status: 400, body: { type: "error", error: { message } } });

// An access token has no account.
const user = (host: GitHost, { headers }: Asked): Answer =>
  headers.authorization?.startsWith("Basic ")
    ? { status: 200, body: { username: host.account, display_name: "Acme Bot" } }
    : dialectC.refused;

const workspacesOf = (host: GitHost): string[] =>
  [...new Set([...host.repositories.keys()].map((path) => path.split("/")[0] as string))].sort();

function list(host: GitHost, { path, query }: Asked, all: unknown[]): Answer {
  const { items, page, size, hasNext } = pageOf(all, query, "pagelen", 10);
  const further = new URLSearchParams([...query, ["pagelen", String(size)], ["page", String(page + 1)]]);
  const next = `${host.apiUrl}${path}?${new URLSearchParams(Object.fromEntries(further))}`;
  return { status: 200, body: { pagelen: size, values: items, ...(hasNext ? { next } : {}) } };
}

function inRepository(host: GitHost, repository: HostedRepository, asked: Asked, rest: string): Answer {
  if (rest === "") return { status: 200, body: shown(repository) };
  if (rest === "/refs/branches") {
    const branches = [...repository.branches].map(([name, hash]) => ({ type: "branch", name, target: { hash } }));
    const [, text = '""'] = /^name ~ (".*")$/.exec(asked.query.get("q") ?? 'name ~ ""') ?? [];
    return list(
      host,
      asked,
      containing(branches, JSON.parse(text) as string, ({ name }) => name),
    );
  }
  if (rest.startsWith("/refs/branches/")) {
    const name = decodeURIComponent(rest.slice("/refs/branches/".length));
    const hash = repository.branches.get(name);
    return hash ? { status: 200, body: { name, target: { hash } } } : missing;
  }
  const [, commit, place] = /^\/src\/([0-9a-f]{40})\/(.*)$/.exec(rest) ?? [];
  if (commit !== undefined && place !== undefined) return source(host, repository, asked, decodeURIComponent(place));
  const [, built] = /^\/commit\/([0-9a-f]{40})\/statuses\/build$/.exec(rest) ?? [];
  if (built !== undefined) return statuses(repository, asked, built);
  const [, collection, id] = /^\/(deploy-keys|hooks)(?:\/([^/]+))?$/.exec(rest) ?? [];
  if (collection === "deploy-keys") return keys(host, repository, asked, id);
  if (collection === "hooks") return hooks(host, repository, asked, id && decodeURIComponent(id));
  return missing;
}

/** A file as it is; a directory, which may have a slash at its end, in pages. */
function source(host: GitHost, repository: HostedRepository, asked: Asked, place: string): Answer {
  const text = repository.files.get(place);
  if (text !== undefined) return { status: 200, body: text, headers: { "content-type": "text/plain" } };
  const entries = entriesIn(repository, place.replace(/\/$/, ""));
  if (!entries) return missing;
  const shownEntry = ({ path, text }: HostedEntry) =>
    text === undefined
      ? { type: "commit_directory", path }
      : { type: "commit_file", path, size: text.length, attributes: [] };
  const others = ["link", "subrepository"].map((kind) => ({ type: "commit_file", path: kind, attributes: [kind] }));
  return list(host, asked, [...entries.map(shownEntry), ...others]);
}

const shown = ({ id, path, isPrivate, sshUrl }: HostedRepository) => ({
  uuid: `{${id}}`,
  full_name: path,
  is_private: isPrivate,
  mainbranch: { type: "branch", name: "main" },
  links: {
    html: { href: `https://bitbucket.org/${path}` },
    clone: [
      { name: "https", href: `https://bitbucket.org/${path}.git` },
      { name: "ssh", href: sshUrl },
    ],
  },
});

function keys(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET") {
    return list(
      host,
      asked,
      repository.keys.map(({ id, title, key }) => ({ id, label: title, key, type: "deploy_key" })),
    );
  }
  if (asked.method === "POST") {
    const { label, key } = asked.body;
    if (!isKey(key) || typeof label !== "string") return bad("key: a valid SSH key is required");
    if (host.hasKey(key)) return bad("Someone has already registered that SSH key.");
    // Its comment is a separate field.
    const made = { id: host.newId(), title: label, key: key.split(" ").slice(0, 2).join(" ") };
    repository.keys.push(made);
    return { status: 200, body: { id: made.id, label, key: made.key } };
  }
  return remove(repository.keys, (each) => String(each.id) === id);
}

function hooks(host: GitHost, repository: HostedRepository, asked: Asked, id: string | undefined): Answer {
  if (asked.method === "GET") return list(host, asked, repository.hooks.map(shownHook));
  if (asked.method === "DELETE") return remove(repository.hooks, (each) => each.id === id);
  const { url, secret, events, description, active } = asked.body;
  if (!isUrl(url) || typeof description !== "string" || active !== true) return bad("Invalid webhook");
  if (!(events as string[] | undefined)?.includes("repo:push")) return bad("events: required");
  if (typeof secret !== "string" || secret.length > 128) return bad("secret: too long");
  if (asked.method === "PUT") {
    const hook = repository.hooks.find((each) => each.id === id);
    return hook ? { status: 200, body: shownHook(Object.assign(hook, { url, secret })) } : missing;
  }
  const made = { id: `{${randomUUID()}}`, url, secret };
  repository.hooks.push(made);
  return { status: 201, body: shownHook(made) };
}

/** One with the same key replaces the former. */
function statuses(repository: HostedRepository, { method, body }: Asked, commit: string): Answer {
  const { key, state, name, description, url } = body;
  if (method !== "POST" || typeof key !== "string" || key.length > 40) return bad("key: too long");
  if (!["INPROGRESS", "SUCCESSFUL", "FAILED", "STOPPED"].includes(String(state))) return bad("state: invalid");
  if (!isUrl(url) || typeof name !== "string" || typeof description !== "string") return bad("url: required");
  const made = { commit, name, state: String(state), description, url };
  const at = repository.statuses.findIndex((each) => each.commit === commit && each.name === name);
  if (at < 0) repository.statuses.push(made);
  else repository.statuses[at] = made;
  return { status: at < 0 ? 201 : 200, body: { key, state } };
}

const shownHook = ({ id, url }: HostedHook) => ({
  uuid: id,
  url,
  active: true,
  events: ["repo:push"],
  secret_set: true,
});

function remove<Item>(items: Item[], isIt: (item: Item) => boolean): Answer {
  const at = items.findIndex(isIt);
  if (at < 0) return missing;
  items.splice(at, 1);
  return { status: 204 };
}

function eventOf(repository: HostedRepository, { branch, before, after, author, message, tag }: SentPush) {
  const name = tag?.replace("refs/tags/", "") ?? branch;
  const type = tag ? "tag" : "branch";
  const person = { raw: `${author ?? "Sample Author"} <author@example.com>` };
  const target = { type: "commit", hash: after, message: `${message ?? "A change"}\n`, author: person };
  const change = {
    old: before === null ? null : { type, name, target: { hash: before } },
    new: after === null ? null : { type, name, target },
    created: before === null,
    closed: after === null,
    forced: false,
  };
  const other = { old: null, new: { type: "branch", name: "elsewhere", target: { ...target, hash: "e".repeat(40) } } };
  return {
    push: { changes: [other, change] },
    repository: shown(repository),
    actor: { display_name: "Someone Else" },
  };
}
