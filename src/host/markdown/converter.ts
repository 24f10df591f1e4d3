// Runs on managed servers, started by systemd when the first request comes, and ends when none has come for a while. nginx
// hands it who asks a page for text/markdown; it asks nginx for the same page, and turns the HTML it gets into Markdown.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import { markdownOf } from "./convert.ts";

/** A longer page is answered as it is: converting it would hold up everybody else's. */
const longestPage = 4 * 1024 * 1024;
const idleMs = 60_000;
/** The first socket that systemd passes. */
const passedSocket = 3;

let lastRequestAt = Date.now();
const server = createServer((asked, answer) => {
  lastRequestAt = Date.now();
  answerInMarkdown(asked, answer).catch(() => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
});
server.listen(process.argv[2] ?? { fd: passedSocket });
setInterval(() => Date.now() - lastRequestAt > idleMs && process.exit(), idleMs / 2);

async function answerInMarkdown(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const page = await fetchPage(asked);
  const headers = { ...withoutHops(page.headers), vary: varying(page.headers.vary) };
  const status = page.statusCode ?? 502;
  const isPage = /^text\/html\b/i.test(page.headers["content-type"] ?? "");
  if (!isPage || asked.method === "HEAD" || Number(page.headers["content-length"] ?? 0) > longestPage) {
    answer.writeHead(status, isPage && asked.method === "HEAD" ? ofMarkdown(headers) : headers);
    page.pipe(answer);
    return;
  }
  const begun = await beginningOf(page);
  if (!page.readableEnded) {
    answer.writeHead(status, headers).write(begun);
    page.pipe(answer);
    return;
  }
  answer.writeHead(status, ofMarkdown(headers)).end(markdownOf(begun.toString(charsetOf(page.headers))));
}

/** All of a page, or as much of it as shows that it is too long. */
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

/** As the visitor asked for it, with his cookies; nginx is told by the header that this is not to be converted again. */
function fetchPage({ method, url, headers }: IncomingMessage): Promise<IncomingMessage> {
  const isSecure = headers["x-forwarded-proto"] === "https";
  const options = {
    host: "127.0.0.1",
    port: isSecure ? 443 : 80,
    method,
    path: url,
    headers: { ...withoutConditions(withoutHops(headers)), "x-longshore-markdown": "source" },
    // The certificate is that of the visitor's name, and this is our own nginx.
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

// What is compared or counted is the HTML.
const withoutConditions = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  without(headers, ["if-none-match", "if-modified-since", "if-range", "range"]);

const ofMarkdown = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...without(headers, ["content-length", "content-encoding", "etag", "last-modified", "accept-ranges"]),
  "content-type": "text/markdown; charset=utf-8",
});

/** A cache keeps the answers apart by what was accepted. */
const varying = (vary: string | undefined): string =>
  vary === undefined ? "Accept" : /(^|,)\s*(accept|\*)\s*(,|$)/i.test(vary) ? vary : `${vary}, Accept`;

const charsetOf = (headers: IncomingHttpHeaders): BufferEncoding =>
  /charset="?(iso-8859-1|latin1|windows-1252)/i.test(headers["content-type"] ?? "") ? "latin1" : "utf8";
