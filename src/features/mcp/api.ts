import type { FastifyInstance } from "fastify";
import type { Caller } from "../../http/actor.ts";
import { programHeader } from "../../http/calling-program.ts";
import { asCounted } from "../../http/counted-requests.ts";
import type { Route } from "../../http/route.ts";
import { objectOf, textOf } from "../../lib/foreign.ts";
import { isReading, isWithin, nameOfRoute } from "./connection.ts";

/** What of a request to the API is not its route. */
export interface Input {
  params?: Record<string, string | number>;
  /** Undefined values are left out. */
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Who sends the requests, and how the audit log names the program. */
export interface Sender {
  authorization: string;
  caller: Caller;
  /** The address of the client. */
  address: string;
  organizationId: number | undefined;
  isReadOnly: boolean;
  program: { name?: string | undefined; version?: string | undefined };
}

/** The answer of the API to a request that it refused. */
export class Refusal extends Error {
  readonly status: number;
  readonly fields: Record<string, string>;

  constructor(status: number, body: unknown) {
    const { message, errors } = objectOf(body);
    super(textOf(message) || `The API answered ${status}.`);
    this.status = status;
    this.fields = Object.fromEntries(Object.entries(objectOf(errors)).map(([field, text]) => [field, String(text)]));
  }
}

/** The API as one caller may use it. */
export interface Api {
  /** Whether the caller may ever send this: `GET /api/v1/projects/:id`. */
  may(name: string): boolean;
  /** The body of the answer. Throws a Refusal for a status of 400 and above. */
  send<Body>(name: string, input?: Input): Promise<Body>;
}

/**
 * Requests to this process's own API, with the credential and the address of the caller: permissions, reach, validation, idempotency
 * and the audit log are those of the API. `allowed` names the routes; another one is a bug and throws.
 */
export function apiFor(app: FastifyInstance, sender: Sender, allowed?: readonly string[]): Api {
  const routes = new Map(app.routes.map((route) => [nameOfRoute(route), route]));
  const routeOf = (name: string): Route => {
    const route = routes.get(name);
    if (!route) throw new Error(`There is no route ${name}.`);
    return route;
  };
  return {
    may: (name) => {
      const route = routeOf(name);
      return isWithin(route.permission, sender.caller) && (!sender.isReadOnly || isReading(route));
    },
    send: async <Body>(name: string, input: Input = {}) => {
      const route = routeOf(name);
      if (allowed && !allowed.includes(name)) throw new Error(`The tool does not declare ${name}.`);
      if (sender.isReadOnly && !isReading(route)) {
        throw new Refusal(403, { message: "This connection is for reading only: its address has read_only=1." });
      }
      return (await request(app, sender, route, input)) as Body;
    },
  };
}

async function request(app: FastifyInstance, sender: Sender, route: Route, input: Input): Promise<unknown> {
  const { body, idempotencyKey, signal } = input;
  const headers: Record<string, string> = {
    authorization: sender.authorization,
    [programHeader]: programOf(sender.program),
    ...(sender.organizationId === undefined ? {} : { "x-organization": String(sender.organizationId) }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  // Awaited inside: the request is sent when its promise is first asked for.
  const answer = await asCounted(
    async () =>
      await app.inject({
        method: route.method,
        url: addressOf(route, input),
        headers,
        remoteAddress: sender.address,
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }),
  );
  const read = answer.body === "" ? null : (JSON.parse(answer.body) as unknown);
  if (answer.statusCode >= 400) throw new Refusal(answer.statusCode, read);
  return read;
}

function addressOf({ path }: Route, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => segmentOf(params[name]));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? filled : `${filled}?${search}`;
}

/** Throws 404 for what would lead to another path: `..` is the path above. */
function segmentOf(value: unknown): string {
  const text = String(value ?? "");
  if (/^\.{0,2}$/.test(text)) throw new Refusal(404, { message: "A parameter of the path names no record." });
  return encodeURIComponent(text);
}

/** What a client states about itself, in the form of the header: at most 64 characters of a name, and a version. */
function programOf({ name, version }: Sender["program"]): string {
  const word = name
    ?.replace(/[^\w.@+-]+/g, "-")
    .replace(/^[^A-Za-z]+/, "")
    .slice(0, 64);
  const number = version
    ?.replace(/^v/, "")
    .replace(/[^\w.+-]+/g, "-")
    .slice(0, 32);
  if (!word) return "mcp";
  return number && /^\d/.test(number) ? `mcp/${word}/${number}` : `mcp/${word}`;
}
