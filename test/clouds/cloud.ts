import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fault, Faults } from "./faults.ts";
import { type Machines, paperMachines } from "./machines.ts";

export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** A text is sent unchanged, any other value as JSON. */
  body?: unknown;
}

export interface CloudOptions {
  machines?: Machines;
  /** The address to listen on; default: loopback. */
  host?: string;
  /** How many requests for a new server it takes until the server runs, in addition to the boot time of its machine. */
  looksUntilRunning?: number;
  /** The maximum number of servers in the account. */
  serverLimit?: number;
}

/** The common part of the fakes: they answer over HTTP, keep a log, fail on demand, and own machines. */
export abstract class Cloud {
  readonly faults = new Faults();
  /** `<method> <path>`, or `<method> <action>` when every path is `/`. */
  readonly requests: string[] = [];
  /** Entries of another form that lists end with, by the list's name. */
  readonly odd: Record<string, unknown[]> = {};
  /** Actions that end as failed and change nothing, by their command. */
  readonly failing: { command: string; problem: string }[] = [];
  /** Answers that replace those of the fake, by request. */
  readonly overrides: { matches: RegExp; answer: Answer; left: number }[] = [];
  readonly machines: Machines;
  readonly looksUntilRunning: number;
  readonly serverLimit: number;
  private readonly host: string;
  private readonly server: Server;
  private readonly boots = new Set<Promise<unknown>>();
  private lastId = 1000;
  private tokens = Number.POSITIVE_INFINITY;

  constructor(options: CloudOptions = {}) {
    const { machines = paperMachines(), host = "127.0.0.1", looksUntilRunning = 2, serverLimit = 1_000 } = options;
    this.machines = machines;
    this.host = host;
    this.looksUntilRunning = looksUntilRunning;
    this.serverLimit = serverLimit;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  abstract answer(asked: Asked): Answer | Promise<Answer>;
  abstract limited(): Answer;
  abstract broken(): Answer;
  /** The form of a request in the log. */
  nameOf({ method, path }: Asked): string {
    return `${method} ${path}`;
  }

  async listen(): Promise<this> {
    this.server.listen(0, this.host);
    await once(this.server, "listening");
    return this;
  }

  get url(): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await Promise.allSettled(this.boots);
    await this.machines.close();
  }

  newId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** From now on this many requests are answered until the limit refuses them. */
  allowOnly(requests: number): void {
    this.tokens = requests;
  }

  /** The next requests that match get this answer. */
  override(matches: RegExp, answer: Answer, times = 1): void {
    this.overrides.push({ matches, answer, left: times });
  }

  /** Why the next action of this command fails; undefined when it does not. */
  takeFailure(command: string): string | undefined {
    const at = this.failing.findIndex((each) => each.command === command);
    return at < 0 ? undefined : this.failing.splice(at, 1)[0]?.problem;
  }

  /** Starts a machine; `onBooted` runs after its user data was applied. */
  boot(order: Parameters<Machines["boot"]>[0], onBooted: (publicIp: string) => void): void {
    const boot = this.machines.boot(order).then(({ publicIp }) => onBooted(publicIp));
    this.boots.add(boot);
    // A machine that does not boot appears as a server that never runs.
    boot.catch((error) => console.error(`The machine ${order.name} did not boot:`, error));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    const name = this.nameOf(asked);
    this.requests.push(name);
    const fault = this.faults.take(name);
    const answer = fault?.when === "before" ? this.failure(fault) : await this.effect(asked, name);
    if (fault?.kind === "silent") return;
    if (fault?.kind === "cut") return void request.socket.destroy();
    send(response, fault ? this.failure(fault) : answer);
  }

  private failure({ kind }: Fault): Answer {
    return kind === "limit" ? this.limited() : this.broken();
  }

  private async effect(asked: Asked, name: string): Promise<Answer> {
    if (this.tokens <= 0) return this.limited();
    this.tokens -= 1;
    const override = this.overrides.find(({ matches, left }) => left > 0 && matches.test(name));
    if (override) {
      override.left -= 1;
      return override.answer;
    }
    try {
      return await this.answer(asked);
    } catch (error) {
      console.error(`A fake provider failed at ${name}:`, error);
      return { status: 500, body: "the fake failed" };
    }
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const url = new URL(request.url ?? "/", "http://provider");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(pieces).toString("utf8"),
  };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}

/** A page of a list by `page` and `per_page`. */
export function pageOf<Item>(
  all: readonly Item[],
  query: URLSearchParams,
  { size, most }: { size: number; most: number },
) {
  const perPage = Math.min(Number(query.get("per_page")) || size, most);
  const page = Math.max(Number(query.get("page")) || 1, 1);
  const last = Math.max(Math.ceil(all.length / perPage), 1);
  return { items: all.slice((page - 1) * perPage, page * perPage), page, perPage, last, total: all.length };
}
