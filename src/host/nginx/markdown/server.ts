import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as secureRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import { markdownOf } from "./convert.ts";

/** A longer page is returned unconverted: its conversion would delay the requests of all other clients. */
const longestPage = 4 * 1024 * 1024;

/** Where nginx listens. */
export interface Ports {
  http: number;
  https: number;
}

/**
 * Requests the same page from nginx, and converts the HTML to Markdown. `onIdle` is called when for `idleMs` no client has waited
 * for an answer: never in the middle of one.
 */
export function markdownServer(ports: Ports, { idleMs, onIdle }: { idleMs: number; onIdle: () => void }): Server {
  let open = 0;
  let idle = setTimeout(onIdle, idleMs);
  const server = createServer((asked, answer) => {
    open += 1;
    clearTimeout(idle);
    answer.once("close", () => {
      open -= 1;
      if (open === 0) idle = setTimeout(onIdle, idleMs);
    });
    answerInMarkdown(asked, answer, ports).catch(() =>
      answer.headersSent ? answer.destroy() : answer.writeHead(502).end(),
    );
  });
  return server.once("close", () => clearTimeout(idle));
}

async function answerInMarkdown(asked: IncomingMessage, answer: ServerResponse, ports: Ports): Promise<void> {
  const page = await fetchPage(asked, ports);
  // No client is waiting for it any more.
  answer.once("close", () => page.destroy());
  const headers = { ...withoutHops(page.headers), vary: varying(page.headers.vary) };
  const status = page.statusCode ?? 502;
  const isPage = /^text\/html\b/i.test(page.headers["content-type"] ?? "");
  if (!isPage || asked.method === "HEAD" || Number(page.headers["content-length"] ?? 0) > longestPage) {
    answer.writeHead(status, isPage && asked.method === "HEAD" ? ofMarkdown(headers) : headers);
    return pipeline(page, answer);
  }
  const begun = await beginningOf(page);
  if (!page.readableEnded) {
    answer.writeHead(status, headers).write(begun);
    return pipeline(page, answer);
  }
  const isLatin1 = /charset="?(iso-8859-1|latin1|windows-1252)/i.test(page.headers["content-type"] ?? "");
  const html = begun.toString(isLatin1 ? "latin1" : "utf8");
  answer.writeHead(status, ofMarkdown(headers)).end(markdownOf(html));
}

/** The whole page, or enough of it to see that it is too long. */
async function beginningOf(page: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of page.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > longestPage) break;
  }
  return Buffer.concat(parts);
}

/** As the visitor requested it, with its cookies; the header marks the request as one that nginx must not convert again. */
function fetchPage({ method, url, headers }: IncomingMessage, { http, https }: Ports): Promise<IncomingMessage> {
  const isSecure = headers["x-forwarded-proto"] === "https";
  const options = {
    host: "127.0.0.1",
    port: isSecure ? https : http,
    method,
    path: url,
    // Conditions and ranges apply to the HTML, not to the Markdown.
    headers: {
      ...without(withoutHops(headers), ["if-none-match", "if-modified-since", "if-range", "range"]),
      "x-longshore-markdown": "source",
    },
    // The certificate is for the visitor's name, and this is our own nginx.
    servername: (headers.host ?? "").replace(/:\d+$/, ""),
    rejectUnauthorized: false,
    timeout: 60_000,
  };
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? secureRequest : request)(options, resolve);
    sent.once("timeout", () => sent.destroy(new Error("nginx did not answer")));
    sent.once("error", reject).end();
  });
}

const hops = ["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "accept-encoding"];

const without = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders => without(headers, hops);

const ofMarkdown = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...without(headers, ["content-length", "content-encoding", "etag", "last-modified", "accept-ranges"]),
  "content-type": "text/markdown; charset=utf-8",
});

/** A cache stores the answers separately by the Accept header. */
const varying = (vary: string | undefined): string =>
  vary === undefined ? "Accept" : /(^|,)\s*(accept|\*)\s*(,|$)/i.test(vary) ? vary : `${vary}, Accept`;
