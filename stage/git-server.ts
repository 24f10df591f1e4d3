import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Path in the repository to its content; `null` removes the file, a commit makes it a submodule, `large` is stored in
 * Git LFS.
 */
export type Files = Record<string, string | Uint8Array | { commit: string } | { large: string } | null>;

export interface Credentials {
  username: string;
  password: string;
}

export interface RepositoryOptions {
  files?: Files;
  /** A folder whose files become the first commit, with their executable bits and symbolic links. */
  fromDirectory?: string;
  /** Makes the repository private: basic authentication with these. */
  credentials?: Credentials;
  objectFormat?: "sha256";
}

export interface CommitOptions {
  files: Files;
  /** Default: `main`; created from `main` when it does not exist. */
  branch?: string;
  message?: string;
}

export interface GitServer {
  /** Without a trailing slash; a repository is at `${url}/${name}.git`. */
  url: string;
  urlOf(name: string): string;
  /** Creates a bare repository with one commit on `main`; resolves with the commit's id. */
  createRepository(name: string, options?: RepositoryOptions): Promise<string>;
  /** Adds a commit; resolves with its id. */
  commit(name: string, options: CommitOptions): Promise<string>;
  /** Loses all files that it stores in Git LFS. */
  dropLargeFiles(): void;
  /** How often a client requested objects of the repository. */
  fetches(name: string): number;
  close(): Promise<void>;
}

interface Entry {
  path: string;
  mode: "100644" | "100755" | "120000";
  content: Uint8Array;
}

type Change = Entry | { path: string; commit?: string };

// The machine's own git configuration must not influence the tests.
const gitEnvironment = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

const author = "Sample Author <author@example.com>";

/** Serves real git repositories under `root` over smart HTTP. `port` 0 or omitted: a free one. */
export async function startGitServer(options: { host: string; root: string; port?: number }): Promise<GitServer> {
  const { host, root, port = 0 } = options;
  await mkdir(root, { recursive: true });
  const credentials = new Map<string, Credentials>();
  const fetches = new Map<string, number>();
  const backends = new Set<ChildProcess>();
  const largeFiles: LargeFiles = new Map();

  const server = createServer((request, response) => {
    const name = /^\/([a-z0-9-]+)\.git\//.exec(request.url ?? "")?.[1];
    if (!name) return void response.writeHead(404).end("No such repository.\n");
    if (!isAllowed(request, credentials.get(name))) return askForCredentials(response);
    if (request.url?.includes("/info/lfs/")) return void serveLargeFile(largeFiles, request, response);
    if (request.method === "POST") fetches.set(name, (fetches.get(name) ?? 0) + 1);
    const backend = serveWithBackend(root, request, response);
    backends.add(backend);
    backend.once("close", () => backends.delete(backend));
  });
  await listen(server, host, port);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    urlOf: (name) => `${url}/${name}.git`,
    async createRepository(name, { files = {}, fromDirectory, credentials: required, objectFormat } = {}) {
      const repository = pathOf(root, name);
      await rm(repository, { recursive: true, force: true });
      await git([
        "init",
        "--quiet",
        "--bare",
        "--initial-branch=main",
        `--object-format=${objectFormat ?? "sha1"}`,
        repository,
      ]);
      if (required) credentials.set(name, required);
      else credentials.delete(name);
      const entries = fromDirectory ? await entriesOf(fromDirectory) : [];
      return fastImport(repository, "main", "First commit", [...entries, ...changes(files, largeFiles)]);
    },
    commit: (name, { files, branch = "main", message = "Change files" }) =>
      fastImport(pathOf(root, name), branch, message, changes(files, largeFiles)),
    dropLargeFiles: () => largeFiles.clear(),
    fetches: (name) => fetches.get(name) ?? 0,
    async close() {
      for (const backend of backends) backend.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pathOf(root: string, name: string): string {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`A repository's name is of a-z, 0-9 and dashes, not ${name}`);
  return join(root, `${name}.git`);
}

const git = async (args: string[]): Promise<string> => (await run("git", args, { env: gitEnvironment })).stdout.trim();

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

function isAllowed(request: IncomingMessage, required: Credentials | undefined): boolean {
  if (!required) return true;
  const expected = Buffer.from(`${required.username}:${required.password}`).toString("base64");
  return request.headers.authorization === `Basic ${expected}`;
}

function askForCredentials(response: ServerResponse): void {
  response.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end("Authentication required.\n");
}

/** One CGI process per request: exactly what a web server in front of `git http-backend` does. */
function serveWithBackend(root: string, request: IncomingMessage, response: ServerResponse): ChildProcess {
  const url = new URL(request.url ?? "/", "http://localhost");
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: request.headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  // A client that disconnects, or a backend that answers before it has read everything, is not a failure of the server.
  backend.stdin.on("error", () => {});
  request.on("error", () => {});
  response.on("close", () => backend.kill());
  backend.on("error", () => response.headersSent || response.writeHead(500).end("git is not there.\n"));
  request.pipe(backend.stdin);
  answerWith(backend, response);
  return backend;
}

/** CGI's answer: header lines, an empty line, then the body as it comes. */
function answerWith(backend: ChildProcess, response: ServerResponse): void {
  const output = backend.stdout;
  if (!output) return;
  let head = Buffer.alloc(0);
  output.on("data", function readHead(piece: Buffer) {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    output.off("data", readHead);
    const headers = head.subarray(0, end).toString().split("\r\n").map(parseHeader);
    const status = headers.find(([name]) => name === "Status");
    response.writeHead(
      status ? Number.parseInt(status[1], 10) : 200,
      headers.filter(([name]) => name !== "Status").flat(),
    );
    response.write(head.subarray(end + 4));
    output.pipe(response);
  });
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** The files stored beside the repositories, by their SHA-256. */
type LargeFiles = Map<string, string>;

/** The text that Git LFS puts into the repository in place of a file. */
function pointerTo(content: string, largeFiles: LargeFiles): string {
  const oid = createHash("sha256").update(content).digest("hex");
  largeFiles.set(oid, content);
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${Buffer.byteLength(content)}\n`;
}

/** Git LFS's batch request, and the downloads in its answer. */
async function serveLargeFile(files: LargeFiles, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const downloads = `http://${request.headers.host}${request.url?.replace(/objects\/batch$/, "objects/")}`;
  if (request.method === "GET") {
    const content = files.get(downloads.slice(-64));
    return void response.writeHead(content === undefined ? 404 : 200).end(content);
  }
  const asked = JSON.parse(await text(request)) as { objects: { oid: string; size: number }[] };
  const objects = asked.objects.map(({ oid, size }) => {
    if (!files.has(oid)) return { oid, size, error: { code: 404, message: "Object does not exist" } };
    const header = request.headers.authorization ? { Authorization: request.headers.authorization } : {};
    return { oid, size, authenticated: true, actions: { download: { href: downloads + oid, header } } };
  });
  response.writeHead(200, { "Content-Type": "application/vnd.git-lfs+json" });
  response.end(JSON.stringify({ transfer: "basic", objects }));
}

const changes = (files: Files, largeFiles: LargeFiles): Change[] =>
  Object.entries(files).map(([path, content]) => {
    if (content === null) return { path };
    if (typeof content === "object" && "commit" in content) return { path, commit: content.commit };
    if (typeof content === "object" && "large" in content) {
      return { path, mode: "100644", content: Buffer.from(pointerTo(content.large, largeFiles)) };
    }
    return { path, mode: "100644", content: typeof content === "string" ? Buffer.from(content) : content };
  });

async function entriesOf(directory: string): Promise<Entry[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() || entry.isSymbolicLink());
  return Promise.all(
    files.map(async (file): Promise<Entry> => {
      const path = join(file.parentPath, file.name);
      const relative = path.slice(directory.replace(/\/$/, "").length + 1);
      if (file.isSymbolicLink()) return { path: relative, mode: "120000", content: Buffer.from(await readlink(path)) };
      const isExecutable = ((await lstat(path)).mode & 0o100) !== 0;
      return { path: relative, mode: isExecutable ? "100755" : "100644", content: await readFile(path) };
    }),
  );
}

/** Writes one commit straight into the bare repository: one process, no work tree. */
async function fastImport(repository: string, branch: string, message: string, entries: Change[]): Promise<string> {
  const parent = await parentFor(repository, branch);
  const importer = spawn("git", ["-C", repository, "fast-import", "--quiet", "--date-format=now"], {
    env: gitEnvironment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output: string[] = [];
  importer.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  importer.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
  importer.stdin.on("error", () => {});
  for (const piece of commitStream(branch, message, parent, entries)) importer.stdin.write(piece);
  importer.stdin.end();
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    importer.once("error", reject);
    importer.once("close", resolve);
  });
  if (exitCode !== 0) throw new Error(`git fast-import failed in ${repository}: ${output.join("").trim()}`);
  return output.join("").trim();
}

/** The branch's own head, else that of `main`; undefined in an empty repository. */
async function parentFor(repository: string, branch: string): Promise<string | undefined> {
  const heads = await git(["-C", repository, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"]);
  const byName = new Map(heads.split("\n").map((line) => line.split(" ") as [string, string]));
  return byName.get(branch) ?? byName.get("main");
}

function* commitStream(
  branch: string,
  message: string,
  parent: string | undefined,
  entries: Change[],
): Generator<string | Uint8Array> {
  yield `commit refs/heads/${branch}\nmark :1\ncommitter ${author} now\n`;
  yield `data ${Buffer.byteLength(message)}\n${message}\n`;
  if (parent) yield `from ${parent}\n`;
  for (const entry of entries) {
    if (!("content" in entry)) {
      yield `${entry.commit ? `M 160000 ${entry.commit}` : "D"} ${JSON.stringify(entry.path)}\n`;
    } else {
      yield `M ${entry.mode} inline ${JSON.stringify(entry.path)}\ndata ${entry.content.byteLength}\n`;
      yield entry.content;
      yield "\n";
    }
  }
  yield "get-mark :1\n";
}
