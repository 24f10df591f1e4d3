import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

// The receivers of notifications, as small real servers: tests can read the requests, and set the answers.

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface HttpAnswers {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Never answers. */
  silent?: true;
}

const patienceMs = 60_000;

/** Waits for items that arrive one after the other; a missing one fails the test. */
class Arrivals<Item> {
  readonly all: Item[] = [];
  private readonly waiting: { count: number; tell: (item: Item) => void }[] = [];

  add(item: Item): void {
    this.all.push(item);
    for (const { count, tell } of this.waiting) if (count === this.all.length) tell(item);
  }

  /** The first one, the second one, …: at once when it has already arrived. */
  number(count: number): Promise<Item> {
    const there = this.all[count - 1];
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const tooLate = new Error(`Only ${this.all.length} came of the ${count} that were waited for.`);
      const timer = setTimeout(() => reject(tooLate), patienceMs);
      const tell = (item: Item): void => {
        clearTimeout(timer);
        resolve(item);
      };
      this.waiting.push({ count, tell });
    });
  }
}

export interface HttpStandIn {
  url: string;
  received: Received[];
  /** Waits for a request by its number, from 1. */
  request(count: number): Promise<Received>;
  /** The next requests get these answers, one each; after the last answer, 200. */
  answerWith(...answers: HttpAnswers[]): void;
  close(): Promise<void>;
}

export async function openHttpStandIn(host = "127.0.0.1"): Promise<HttpStandIn> {
  const arrivals = new Arrivals<Received>();
  const answers: HttpAnswers[] = [];
  const server = createServer(async (request, response) => {
    const text = await readAll(request);
    answer(response, answers.shift() ?? {});
    arrivals.add({ path: request.url ?? "", headers: request.headers, text, body: tryJson(text) });
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    received: arrivals.all,
    request: (count) => arrivals.number(count),
    answerWith: (...more) => void answers.push(...more),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = "ok", silent }: HttpAnswers): void {
  if (silent) return;
  response.writeHead(status, headers).end(status === 204 ? undefined : body);
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Mail -------------------------------------------------------------------------------------------------------------------

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Header names in lower case; folded lines are unfolded. */
  headers: Record<string, string>;
  /** The whole email, as received. */
  source: string;
}

export interface SmtpStandIn {
  url: string;
  mails: ReceivedMail[];
  mail(count: number): Promise<ReceivedMail>;
  /** Every line that it received. */
  said: string[];
  /** The answer to the first command with this prefix. */
  answerOnce(command: string, answer: string): void;
  close(): Promise<void>;
}

/** A mail server that accepts everything, offers a password login, and has no TLS. */
export async function openSmtpStandIn(host = "127.0.0.1"): Promise<SmtpStandIn> {
  const arrivals = new Arrivals<ReceivedMail>();
  const said: string[] = [];
  const once = new Map<string, string>();
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    converse(socket, { arrivals, said, once });
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://${host}:${port}`,
    mails: arrivals.all,
    mail: (count) => arrivals.number(count),
    said,
    answerOnce: (command, answer) => void once.set(command, answer),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Conversation {
  arrivals: Arrivals<ReceivedMail>;
  said: string[];
  once: Map<string, string>;
}

function converse(socket: Socket, { arrivals, said, once }: Conversation): void {
  let envelope = { from: "", to: [] as string[] };
  let data: string | undefined;
  let buffer = "";
  const reply = (text: string) => socket.write(`${text}\r\n`);

  const obey = (line: string): void => {
    said.push(line);
    const verb = line.slice(0, 4).toUpperCase();
    const special = [...once].find(([command]) => line.startsWith(command));
    if (special) {
      once.delete(special[0]);
      reply(special[1]);
    } else if (verb === "EHLO") reply("250-stand-in\r\n250 AUTH PLAIN LOGIN");
    else if (verb === "STAR") reply("502 there is no TLS here");
    else if (verb === "AUTH") reply("235 welcome");
    else if (verb === "MAIL") {
      envelope = { from: addressIn(line), to: [] };
      reply("250 ok");
    } else if (verb === "RCPT") {
      envelope.to.push(addressIn(line));
      reply("250 ok");
    } else if (verb === "DATA") {
      data = "";
      reply("354 go on");
    } else if (verb === "QUIT") socket.end("221 bye\r\n");
    else reply("250 ok");
  };

  const take = (line: string): void => {
    if (data === undefined) obey(line);
    else if (line !== ".") data += `${line.replace(/^\.\./, ".")}\r\n`;
    else {
      arrivals.add({ ...envelope, headers: headersOf(data), source: data });
      data = undefined;
      reply("250 queued as 4711");
    }
  };

  reply("220 stand-in");
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (buffer + text).split("\r\n");
    buffer = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? "";

function headersOf(source: string): Record<string, string> {
  const head = (source.split("\r\n\r\n")[0] ?? "").replace(/\r\n[ \t]+/g, " ");
  return Object.fromEntries(
    head.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
