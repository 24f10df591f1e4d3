import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as secureRequest } from "node:https";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Conversions } from "./conversions.ts";
import { PageLimits } from "./page-limits.ts";

/** nginx passes longer headers than Node accepts by default, in both directions. */
const maxHeaderSize = 160 * 1024;

/** Where nginx listens. */
export interface Ports {
  http: number;
  https: number;
}

export interface Options {
  /** A directory in which nginx can find a file by its name, and that no other user can list. */
  passes: string;
  /** A page that does not begin in this time is nginx's to answer; one that does not end in it stays HTML. Default: 10 s. */
  pageMs?: number;
  idleMs: number;
  /** Called when for `idleMs` no client has waited for an answer: never in the middle of one. */
  onIdle: () => void;
}

/**
 * Requests the same page from nginx, for the same visitor, and converts the HTML to Markdown. A page that cannot be converted soon is
 * answered as it is, and 502 means that nginx should answer without this server. Nothing that one site does delays another's pages.
 */
export function markdownServer(ports: Ports, { passes, pageMs = 10_000, idleMs, onIdle }: Options): Server {
  const conversions = new Conversions();
  const limits = new PageLimits();
  let open = 0;
  let idle = setTimeout(onIdle, idleMs);
  const server = createServer({ maxHeaderSize }, (asked, answer) => {
    open += 1;
    clearTimeout(idle);
    conversions.prepare();
    answer.once("close", () => {
      open -= 1;
      if (open === 0 && server.listening) idle = setTimeout(onIdle, idleMs);
    });
    send({ conversions, limits, ports, passes, pageMs }, asked, answer).catch(() =>
      answer.headersSent ? answer.destroy() : answer.writeHead(502).end(),
    );
  });
  server.on("clientError", (_, socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n"));
  return server.once("close", () => {
    clearTimeout(idle);
    conversions.close();
  });
}

interface Work {
  conversions: Conversions;
  limits: PageLimits;
  ports: Ports;
  passes: string;
  pageMs: number;
}

async function send(work: Work, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { site, isSecure, visitor } = envelopeOf(asked);
  // When no client is waiting for it any more.
  const gone = new AbortController();
  answer.once("close", () => gone.abort());
  const { status, headers, begun, rest } = await work.limits.within(site, async (read) => {
    const until = performance.now() + work.pageMs;
    const page = await fetchPage(work, { asked, isSecure, visitor, signal: gone.signal });
    return replyTo(page, asked.method === "HEAD", {
      read: () => read(page, until - performance.now()),
      convert: (html) => work.conversions.convert(site, html),
    });
  });
  answer.writeHead(status, headers);
  if (!rest) return void answer.end(begun);
  if (begun.length > 0) answer.write(begun);
  await pipeline(rest, answer);
}

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  begun: Buffer | string;
  /** What follows, as it arrives. */
  rest?: IncomingMessage;
}

interface Means {
  read: () => Promise<{ begun: Buffer; isWhole: boolean }>;
  convert: (html: string) => Promise<string | undefined>;
}

async function replyTo(page: IncomingMessage, isHead: boolean, { read, convert }: Means): Promise<Reply> {
  const headers = { ...withoutHops(page.headers), vary: varying(page.headers.vary) };
  const status = page.statusCode ?? 502;
  const type = page.headers["content-type"] ?? "";
  if (!/^text\/html\b/i.test(type)) return { status, headers, begun: "", rest: page };
  if (isHead) return { status, headers: ofMarkdown(headers), begun: "", rest: page };
  const { begun, isWhole } = await read();
  if (!isWhole) return { status, headers, begun, rest: page };
  const isLatin1 = /charset="?(iso-8859-1|latin1|windows-1252)/i.test(type);
  const markdown = await convert(begun.toString(isLatin1 ? "latin1" : "utf8"));
  return markdown === undefined
    ? { status, headers, begun }
    : { status, headers: ofMarkdown(headers), begun: markdown };
}

// Requests -----------------------------------------------------------------------------------------------------------------

/** What nginx reports with a request: the site's number, the scheme, and what it has to get back about the visitor. */
const envelope = "x-longshore-markdown";

function envelopeOf({ headers }: IncomingMessage): { site: string; isSecure: boolean; visitor: string } {
  const [, site, scheme, visitor] = /^(\d+) (https?) (.+)$/.exec(String(headers[envelope])) ?? [];
  if (site === undefined || visitor === undefined) throw new Error("This request does not come from a site of nginx");
  return { site, isSecure: scheme === "https", visitor };
}

interface PageRequest {
  asked: IncomingMessage;
  isSecure: boolean;
  visitor: string;
  signal: AbortSignal;
}

/**
 * Requests the page as the visitor did, with its cookies. A file named at random shows nginx, as long as it exists, that a request
 * with its name comes from this process.
 */
async function fetchPage(
  { ports, passes, pageMs }: Work,
  { asked, isSecure, visitor, signal }: PageRequest,
): Promise<IncomingMessage> {
  const pass = randomBytes(16).toString("hex");
  const headers = { ...pageHeaders(asked.headers), [envelope]: `${pass} ${visitor}` };
  const { method, url: path } = asked;
  const options = { host: "127.0.0.1", method, path, headers, signal, maxHeaderSize, agent: false as const };
  // The certificate is for the visitor's name, and this is our own nginx.
  const tls = { servername: (headers.host ?? "").replace(/:\d+$/, ""), rejectUnauthorized: false };
  await writeFile(join(passes, pass), "");
  try {
    return await responseTo(
      isSecure ? secureRequest({ ...options, ...tls, port: ports.https }) : request({ ...options, port: ports.http }),
      pageMs,
    );
  } finally {
    await rm(join(passes, pass), { force: true });
  }
}

function responseTo(sent: ClientRequest, pageMs: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const timer = setTimeout(() => sent.destroy(new Error("The page did not begin")), pageMs);
  sent.once("response", resolve).on("error", reject).end();
  return promise.finally(() => clearTimeout(timer));
}

const hops = ["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "accept-encoding"];

const without = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, hops);

/** Conditions and ranges apply to the HTML, not to the Markdown. */
const pageHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(withoutHops(headers), ["if-none-match", "if-modified-since", "if-range", "range"]);

const ofMarkdown = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...without(headers, ["content-length", "content-encoding", "etag", "last-modified", "accept-ranges"]),
  "content-type": "text/markdown; charset=utf-8",
});

/** A cache stores the answers separately by the Accept header. */
const varying = (vary: string | undefined): string =>
  vary === undefined ? "Accept" : /(^|,)\s*(accept|\*)\s*(,|$)/i.test(vary) ? vary : `${vary}, Accept`;
