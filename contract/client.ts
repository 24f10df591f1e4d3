// A client of the API. It depends on nothing but types.ts: copy both wherever they are needed.
import type { ErrorBody, Operations } from "./types.ts";

export type OperationName = keyof Operations;

/** What a successful answer holds. */
export type Reply<Name extends OperationName> = Operations[Name]["reply"];

/** What a request sends. */
export type RequestBody<Name extends OperationName> = Operations[Name]["body"];

/** An answer, distinguished by `ok`. What is refused is an answer too: only a request that gets none throws. */
export type Answer<Name extends OperationName> =
  | { ok: true; status: Operations[Name]["success"]; headers: Headers; body: Reply<Name> }
  | { ok: false; status: Operations[Name]["refusal"]; headers: Headers; body: ErrorBody };

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [each in Key]?: undefined }
  : Partial<Value> extends Value
    ? { [each in Key]?: Value }
    : { [each in Key]: Value };

/** What an operation needs; parts without a required field may be left out. */
export type Input<Name extends OperationName> = Part<"params", Operations[Name]["params"]> &
  Part<"query", Operations[Name]["query"]> &
  Part<"body", Operations[Name]["body"]> & {
    /** In place of the client's own, for this request. */
    organization?: number;
    /** Makes a POST safe to repeat for 24 hours. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  };

/** The input, where an operation needs one. */
export type Arguments<Name extends OperationName> =
  Partial<Input<Name>> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

export type Client = <Name extends OperationName>(name: Name, ...input: Arguments<Name>) => Promise<Answer<Name>>;

export interface ClientOptions {
  /** Where the service answers, such as `https://longshore.example.com`. */
  url: string;
  token?: string;
  /** The organization that requests run in; without it the token's own, or the account's current one. */
  organization?: number;
  fetch?: typeof fetch;
}

/**
 * Sends requests by the name of their operation:
 * `await client("GET /api/v1/projects/{id}", { params: { id: 5 } })`.
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch;
  return async (name, input = {} as never) => {
    const [method = "", path = ""] = name.split(" ");
    const { params, query, body, signal } = input as AnyInput;
    const response = await send(options.url.replace(/\/$/, "") + address(path, params, query), {
      method,
      headers: headersOf(options, input as AnyInput),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const { ok, status, headers } = response;
    return { ok, status, headers, body: await read(response) } as Answer<typeof name>;
  };
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  organization?: number;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

function address(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function headersOf(client: ClientOptions, input: AnyInput): Record<string, string> {
  const organization = input.organization ?? client.organization;
  return {
    Accept: "application/json",
    ...(client.token === undefined ? {} : { Authorization: `Bearer ${client.token}` }),
    ...(organization === undefined ? {} : { "X-Organization": String(organization) }),
    ...(input.idempotencyKey === undefined ? {} : { "Idempotency-Key": input.idempotencyKey }),
    ...(input.body === undefined ? {} : { "Content-Type": "application/json" }),
  };
}

/** JSON as a value; anything else, such as events, as the stream that it is. */
async function read(response: Response): Promise<unknown> {
  if (!/^application\/([\w.-]+\+)?json/.test(response.headers.get("Content-Type") ?? "")) return response.body;
  return response.json();
}
