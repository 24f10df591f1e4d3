import { open } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathOf } from "./allowed-methods.ts";
import { type BuiltFile, type ConsoleBuild, openBuilds, suffixes } from "./console-build.ts";
import { encodingFor, hasTag, sendPage } from "./documents.ts";
import { prefersHtml } from "./header-lists.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the console answered it, which has no routes here. */
    isOfConsole: boolean;
  }
}

/** The web console: the files of its build, and its page at every address that belongs to nothing else. */
export interface WebConsole {
  /** Answers with the page of the console; false if there is none. */
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Answers a request that has no route; false if that is not for the console. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
}

/** Addresses that are for programs and visitors: what is unknown below them is not a page of the console. */
const others = ["/api", "/mcp", "/docs", "/status", "/ping", "/oauth", "/metrics", "/.well-known"];
const isBelow = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);

/** Serves the console from the directory of its build; files are read from there for each request, and not kept in memory. */
export function addConsole(app: FastifyInstance, directory: string | undefined): WebConsole {
  app.decorateRequest("isOfConsole", false);
  const currentBuild = directory === undefined ? async () => undefined : openBuilds(directory);
  const sendPageTo = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const build = await currentBuild();
    if (!build) return false;
    request.isOfConsole = true;
    sendPage(request, reply, build.page, "no-cache");
    return true;
  };
  return {
    sendPage: sendPageTo,
    answer: async (request, reply) => {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const path = pathOf(request.url);
      if (others.some((other) => isBelow(path, other))) return false;
      if (await sendFile(request, reply, await currentBuild(), path.slice(1))) return true;
      return !isBelow(path, "/assets") && prefersHtml(request.headers.accept) && sendPageTo(request, reply);
    },
  };
}

/** Only files that the build names are sent: no other address leads to the disk. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  build: ConsoleBuild | undefined,
  path: string,
): Promise<boolean> {
  const file = build?.files.get(path);
  if (!build || !file) return false;
  const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
  if (known !== undefined && hasTag(known, file.tag)) {
    reply
      .headers(headersOf(build, path, file))
      .code(304)
      .send();
  } else {
    const encoding = encodingFor(accepted?.toString(), [...file.encodings, "identity"]);
    const body = await openBody(join(build.directory, `${path}${suffixes[encoding]}`));
    if (!body) return false;
    reply.headers(headersOf(build, path, file)).header("Content-Length", body.size);
    if (encoding !== "identity") reply.header("Content-Encoding", encoding);
    if (request.method === "HEAD") await body.handle.close();
    reply.send(request.method === "HEAD" ? undefined : body.handle.createReadStream());
  }
  request.isOfConsole = true;
  return true;
}

/** Undefined when it is gone: a build that was made since has removed it. */
async function openBody(file: string) {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  return handle && { handle, size: (await handle.stat()).size };
}

const headersOf = ({ headers }: ConsoleBuild, path: string, { tag, isHashed }: BuiltFile): Record<string, string> => ({
  // Scripts of workers need the policy too: each worker has that of its own script.
  ...headers,
  "Content-Type": types[extname(path)] ?? "application/octet-stream",
  "Cache-Control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
  ETag: tag,
  Vary: "Accept-Encoding",
});

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
