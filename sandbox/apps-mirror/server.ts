import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { exists } from "../exists.ts";
import { artifactsDirectory, ensureArtifacts, type MirrorIndex } from "./artifacts.ts";
import { standInArchive, standInVersions } from "./stand-ins.ts";

export interface AppsMirror {
  /** For LONGSHORE_APPS_MIRROR; the host is the given one, or the loopback address. */
  url: string;
  port: number;
  versions: MirrorIndex;
  /** The requests, as `METHOD path`, in order. */
  requests: string[];
  /** From now on answers the path with this instead of the file; undefined reverts it. */
  replace(path: string, content: Buffer | undefined): void;
  /** The versions of an application that the mirror has from now on; newest first. */
  offer(slug: string, versions: readonly string[]): void;
  close(): Promise<void>;
}

export interface AppsMirrorOptions {
  host?: string;
  port?: number;
}

/**
 * Serves the catalog's archives as `/<slug>/<file>`, with `/<slug>/versions.json`. WordPress and Adminer are built from
 * Debian's packages; `app_cms/wp-cli-*.phar` is a stand-in (wp-cli.php), since no distribution has WP-CLI, and so are the
 * applications of stand-ins.ts.
 */
export async function startAppsMirror({ host = "0.0.0.0", port = 0 }: AppsMirrorOptions = {}): Promise<AppsMirror> {
  const versions = structuredClone({ ...(await ensureArtifacts()), ...standInVersions });
  const all = structuredClone(versions);
  const replaced = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer({ versions, replaced }, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, listening);
  });
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${actual}`,
    port: actual,
    versions,
    requests,
    replace: (path, content) => void (content ? replaced.set(path, content) : replaced.delete(path)),
    offer: (slug, wanted) => {
      versions[slug] = (all[slug] ?? []).filter(({ version }) => wanted.includes(version));
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Two versions of WordPress that a mirror has from its start. They change with Debian's packages. */
export function wordpressVersions({ versions }: AppsMirror): { former: string; newer: string } {
  const [newer, former] = (versions.app_cms ?? []).map(({ version }) => version);
  if (newer === undefined || former === undefined) throw new Error("The mirror has no two versions of WordPress.");
  return { former, newer };
}

interface Served {
  versions: MirrorIndex;
  replaced: ReadonlyMap<string, Buffer>;
}

async function answer(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://mirror").pathname;
  const own = served.replaced.get(path) ?? (await generated(served, path, request.headers.host ?? ""));
  if (own !== undefined) {
    response.writeHead(200, { "content-length": own.length }).end(request.method === "HEAD" ? undefined : own);
    return;
  }
  // Exactly an application and a file: no path that could leave the directory.
  const file = /^\/[a-z0-9_-]+\/[\w-][\w.-]*$/.test(path) ? join(artifactsDirectory(), path) : undefined;
  if (file === undefined || !(await exists(file))) {
    response.writeHead(404).end("not found\n");
    return;
  }
  response.writeHead(200, { "content-length": (await stat(file)).size });
  if (request.method === "HEAD") response.end();
  else await pipeline(createReadStream(file), response);
}

async function generated({ versions }: Served, path: string, host: string): Promise<Buffer | undefined> {
  const slug = /^\/([a-z0-9_-]+)\/versions\.json$/.exec(path)?.[1];
  if (slug !== undefined && versions[slug]) return Buffer.from(JSON.stringify(versions[slug]));
  const standIn = await standInArchive(path);
  if (standIn) return standIn;
  if (!/^\/app_cms\/wp-cli-[\d.]+\.phar$/.test(path)) return undefined;
  const source = await readFile(join(import.meta.dirname, "wp-cli.php"), "utf8");
  return Buffer.from(source.replaceAll("@MIRROR@", `http://${host}`));
}
