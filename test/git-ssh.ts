import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import ssh2, {
  type AuthContext,
  type Connection,
  type ParsedKey,
  type PublicKeyAuthContext,
  type ServerChannel,
} from "ssh2";
import { makeKeyPair } from "../src/host/ssh/key-pair.ts";

export interface GitSshServer {
  port: number;
  /** Below the root of the repositories: `acme/shop`. */
  urlOf(path: string): string;
  /** What clients fetched, in order. */
  readonly fetched: string[];
  close(): Promise<void>;
}

export interface GitSshOptions {
  host: string;
  /** The path of a repository, or undefined when it does not exist. */
  repositoryOf(path: string): string | undefined;
  /** The keys that may read a repository, in OpenSSH's format. */
  keysOf(path: string): readonly string[];
  /** The URL of the large files of a repository for Git LFS, and the header to use; undefined without Git LFS. */
  largeFilesOf?(path: string): { href: string; header: Record<string, string> };
}

/**
 * Serves real git repositories over SSH as git hosts do: the user is `git`, the key decides which repositories can be read,
 * and only fetches are possible. A client without access to a repository gets the same answer as if it did not exist.
 */
export async function startGitSsh({ host, repositoryOf, keysOf, largeFilesOf }: GitSshOptions): Promise<GitSshServer> {
  const hostKey = makeKeyPair("git server").privateKey;
  const processes = new Set<ChildProcess>();
  const connections = new Set<Connection>();
  const fetched: string[] = [];

  const server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
    let offered: ParsedKey | undefined;
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
    connection.on("error", () => {});
    connection.on("authentication", (context) => {
      offered = acceptKey(context) ?? offered;
    });
    connection.on("session", (accept) =>
      accept().on("exec", (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        const largeIn = /^git-lfs-authenticate \/?(.+?)(?:\.git)? download$/.exec(command.replaceAll("'", ""))?.[1];
        if (largeIn !== undefined && largeFilesOf && mayRead(offered, keysOf(largeIn))) {
          return answer(channel, JSON.stringify(largeFilesOf(largeIn)));
        }
        const path = /^git-upload-pack '\/?(.+?)(?:\.git)?'$/.exec(command)?.[1];
        const repository = path === undefined ? undefined : repositoryOf(path);
        if (path === undefined || repository === undefined || !mayRead(offered, keysOf(path))) return refuse(channel);
        fetched.push(path);
        const child = uploadPack(repository, channel);
        processes.add(child);
        child.once("close", () => processes.delete(child));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    urlOf: (path) => `ssh://git@${host}:${port}/${path}.git`,
    fetched,
    async close() {
      for (const child of processes) child.kill();
      for (const connection of connections) connection.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Every key is accepted: its rights are checked when the client names a repository. A client without a key is rejected. */
function acceptKey(context: AuthContext): ParsedKey | undefined {
  if (context.username !== "git" || context.method !== "publickey") {
    context.reject(["publickey"]);
    return undefined;
  }
  const key = parsedKey(context);
  const { signature, blob, hashAlgo } = context;
  // Without a signature the client only asks whether the key is acceptable.
  const isProven = signature === undefined || (blob !== undefined && key.verify(blob, signature, hashAlgo) === true);
  if (isProven) context.accept();
  else context.reject(["publickey"]);
  return isProven && signature ? key : undefined;
}

function parsedKey({ key: { algo, data } }: PublicKeyAuthContext): ParsedKey {
  const parsed = ssh2.utils.parseKey(`${algo} ${data.toString("base64")}`);
  if (parsed instanceof Error) throw parsed;
  return parsed;
}

const mayRead = (key: ParsedKey | undefined, lines: readonly string[]): boolean =>
  key !== undefined && lines.some((line) => line.split(" ")[1] === key.getPublicSSH().toString("base64"));

function answer(channel: ServerChannel, text: string): void {
  channel.write(text);
  channel.exit(0);
  channel.end();
}

function refuse(channel: ServerChannel): void {
  channel.stderr.write("ERROR: Repository not found.\n");
  channel.exit(1);
  channel.end();
}

function uploadPack(repository: string, channel: ServerChannel): ChildProcess {
  const child = spawn("git", ["upload-pack", repository], {
    env: { PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  channel.pipe(child.stdin);
  child.stdin.on("error", () => {});
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.once("close", (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
  return child;
}

/** Repositories as stored by `startGitServer`, under the names of a git host: `acme/shop` is `shop.git`. */
export const repositoriesIn =
  (root: string) =>
  (path: string): string | undefined => {
    const name = path.split("/").at(-1) ?? "";
    return /^[a-z0-9-]+$/.test(name) ? join(root, `${name}.git`) : undefined;
  };
