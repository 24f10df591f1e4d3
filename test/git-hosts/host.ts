import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

// Stand-ins for the APIs of git hosts: small servers with the rules of the real ones about access, required fields,
// uniqueness, paging and the form of errors. The differences are in a file for each host.

export interface HostedKey {
  id: number;
  title: string;
  key: string;
}

export interface HostedHook {
  id: string;
  url: string;
  secret: string;
  /** Only GitLab before 19 has it in clear. */
  isPlain?: boolean;
  /** GitLab: whether it reports tags. */
  tags?: boolean;
}

export interface HostedRepository {
  id: number;
  path: string;
  isPrivate: boolean;
  sshUrl: string;
  branches: Map<string, string>;
  /** Of every commit, by path. */
  files: Map<string, string>;
  keys: HostedKey[];
  hooks: HostedHook[];
  /** All that were reported, in their order; a host that replaces them has one of each name. */
  statuses: HostedStatus[];
  deployments: HostedDeployment[];
  /** GitLab: addresses by name. */
  environments: Map<string, string | null>;
}

export interface HostedStatus {
  commit: string;
  name: string;
  state: string;
  description: string;
  url: string | undefined;
}

export interface HostedDeployment {
  id: number;
  commit: string;
  /** GitLab: the branch or tag. */
  ref?: string;
  environment: string;
  payload: unknown;
  /** In the words of the host; its last one is the present one. */
  states: string[];
  url: string | undefined;
}

/** A push as it is sent to hooks. */
export interface SentPush {
  branch: string;
  before: string | null;
  after: string | null;
  author?: string;
  message?: string;
  /** Seconds since 1970; hosts without this field leave it out. */
  pushedAt?: number;
  /** `refs/tags/…` instead of a branch. */
  tag?: string;
  /** The annotated tag that points to `after`; Bitbucket does not report it. */
  tagObject?: string | undefined;
}

export interface Delivered {
  headers: Record<string, string>;
  body: string;
}

export interface Asked {
  method: string;
  /** Below the root of the API, as received: still encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** How one host answers. */
export interface Dialect {
  /** The path of the API's root. */
  root: string;
  isAllowed(headers: IncomingHttpHeaders, token: string): boolean;
  refused: Answer;
  answer(host: GitHost, asked: Asked): Answer;
  deliver(repository: HostedRepository, hook: HostedHook, push: SentPush): Delivered;
}

/** What happens once in place of an answer, or before it. */
type Trouble =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { before: () => Promise<unknown> }
  | "no answer";

export class GitHost {
  readonly token = "s3cret-token-of-the-account";
  readonly account = "acme-bot";
  readonly repositories = new Map<string, HostedRepository>();
  /** Maps former paths to present ones. */
  readonly renamed = new Map<string, string>();
  /** `METHOD /path` of every request, in order. */
  readonly requests: string[] = [];
  /** For the next requests whose line matches. */
  readonly troubles: { line: RegExp; trouble: Trouble }[] = [];
  readonly dialect: Dialect;
  apiUrl = "";
  private readonly server: Server;
  private lastId = 100;
  /** GitLab: whether it has signing tokens. */
  knowsSigning = true;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.server = createServer((request, response) => {
      void (async () => {
        const url = new URL(request.url ?? "/", "http://localhost");
        const line = `${request.method} ${url.pathname.slice(dialect.root.length)}`;
        const text = (await buffer(request)).toString("utf8");
        this.requests.push(line);
        const at = this.troubles.findIndex((each) => each.line.test(line));
        const [hit] = at < 0 ? [] : this.troubles.splice(at, 1);
        if (hit?.trouble === "no answer") {
          // The request still takes effect: only the answer is lost.
          this.answer(request.method ?? "", url, request.headers, text);
          return void response.destroy();
        }
        if (hit && "before" in hit.trouble) await hit.trouble.before();
        const { status, body, headers } =
          hit && "status" in hit.trouble ? hit.trouble : this.answer(request.method ?? "", url, request.headers, text);
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
      })();
    });
  }

  async listen(host = "127.0.0.1"): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    this.apiUrl = `http://${host}:${(this.server.address() as AddressInfo).port}${this.dialect.root}`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  addRepository(path: string, more: Partial<HostedRepository> = {}): HostedRepository {
    const repository: HostedRepository = {
      id: this.newId(),
      path,
      isPrivate: true,
      sshUrl: `git@git.example.com:${path}.git`,
      branches: new Map([["main", "a".repeat(40)]]),
      files: new Map(),
      keys: [],
      hooks: [],
      statuses: [],
      deployments: [],
      environments: new Map(),
      ...more,
    };
    this.repositories.set(path, repository);
    return repository;
  }

  /** Gives a repository another path. A request to the former path is redirected. */
  rename(from: string, to: string): void {
    const repository = this.repositories.get(from);
    if (!repository) throw new Error(`There is no ${from} at the host.`);
    this.repositories.delete(from);
    this.repositories.set(to, Object.assign(repository, { path: to }));
    this.renamed.set(from, to);
  }

  newId(): number {
    return ++this.lastId;
  }

  /** Whether any repository has the key. */
  hasKey(key: string): boolean {
    return [...this.repositories.values()].some(({ keys }) => keys.some((each) => isSame(each.key, key)));
  }

  private answer(method: string, url: URL, headers: IncomingHttpHeaders, text: string): Answer {
    const { dialect } = this;
    if (!dialect.isAllowed(headers, this.token)) return dialect.refused;
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const path = url.pathname.slice(dialect.root.length);
    return dialect.answer(this, { method, path, query: url.searchParams, headers, body });
  }
}

export const isSame = (one: string, other: string): boolean =>
  one.split(" ").slice(0, 2).join(" ") === other.split(" ").slice(0, 2).join(" ");

export const isKey = (value: unknown): value is string =>
  typeof value === "string" && /^ssh-ed25519 AAAA[A-Za-z0-9+/=]+( .*)?$/.test(value);

export const isUrl = (value: unknown): value is string => typeof value === "string" && URL.canParse(value);

/** The requested page of a list, and whether more follow. */
export function pageOf<Item>(items: Item[], query: URLSearchParams, sizeName: string, defaultSize: number) {
  const size = Math.min(Number(query.get(sizeName) ?? defaultSize), 100);
  const page = Number(query.get("page") ?? 1);
  return { items: items.slice((page - 1) * size, page * size), page, size, hasNext: page * size < items.length };
}

export interface HostedEntry {
  path: string;
  /** undefined: a directory. */
  text: string | undefined;
}

/** What lies directly in a directory, which is given without a slash at its end; undefined if it is no directory. */
export function entriesIn({ files }: HostedRepository, directory: string): HostedEntry[] | undefined {
  const start = directory === "" ? "" : `${directory}/`;
  const inside = [...files].filter(([path]) => path.startsWith(start));
  const entries = inside.map(([path, text]): [string, HostedEntry] => {
    const [name = "", ...deeper] = path.slice(start.length).split("/");
    return [start + name, { path: start + name, text: deeper.length > 0 ? undefined : text }];
  });
  return inside.length > 0 ? [...new Map(entries).values()] : undefined;
}

/** The items whose name contains a text, in any case. */
export const containing = <Item>(items: Item[], text: string, nameOf: (item: Item) => string): Item[] =>
  items.filter((item) => nameOf(item).toLowerCase().includes(text.toLowerCase()));

export const isCommit = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{40}$/.test(text);

export const zeros = "0".repeat(40);
