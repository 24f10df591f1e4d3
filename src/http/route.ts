import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { Context } from "../context.ts";
import type { ErrorCode, FieldErrors } from "../lib/errors.ts";
import type { Actor, Caller, Permission } from "./actor.ts";
import { withExpected } from "./expected.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `any`: any valid token. `account`: only a session, or a token with `*` that is bound to no organization. `public`: tokens are
 * ignored. `session`: only a session, for what a leaked token must not do.
 */
export type RoutePermission = Permission | "any" | "account" | "session" | "public";

/** The context of a handler without an actor. */
export type PublicContext = Context & {
  requestId: string;
  headers: IncomingHttpHeaders;
  /** Where the request came from; null when it is unknown. */
  ip: string | null;
  /** Aborts when the client has disconnected, the answer was sent, or the server closes. */
  signal: AbortSignal;
  /** For `refuseChanged`. */
  expectedUpdatedAt?: string | undefined;
};

export type RequestContext = PublicContext & { actor: Actor };

/** The context of a route that needs no organization. */
export type CallerContext = PublicContext & { actor: Caller };

type ContextOf<P extends RoutePermission, WithoutOrganization> = P extends "public"
  ? PublicContext
  : WithoutOrganization extends true
    ? CallerContext
    : RequestContext;

export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The bytes of the body, for signatures; only of routes with `rawBody`. */
  rawBody: Buffer | undefined;
  /**
   * The body as it arrives; only of routes with `streamBody`. It fails when the client disconnects, or sends too much
   * or too slowly.
   */
  bodyStream: Readable | undefined;
}

/** A value in which every field may be missing. */
export type Partly<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: Partly<Value[Key]> | undefined }
    : Value;

/** An answer whose status or headers differ from the route's own. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer without an end, such as server-sent events. It is destroyed when the client disconnects or the process stops. */
export class StreamAnswer {
  readonly contentType: string;
  readonly stream: Readable;
  readonly headers: Record<string, string>;

  constructor(contentType: string, stream: Readable, headers: Record<string, string> = {}) {
    this.contentType = contentType;
    this.stream = stream;
    this.headers = headers;
  }
}

/** The same body as the route's reply, with another success status. */
export const withStatus = <Body>(status: number, body: Body): Answer<Body> => new Answer(status, body);

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
type Result<Body> = Body | Answer<Body> | StreamAnswer;

interface Described {
  method: Method;
  /** `/api/v1/servers/:id`; every parameter needs an entry in `params`. */
  path: string;
  /** One line, imperative: what the endpoint does. */
  summary: string;
  /** Rules that a caller has to know, in sentences. */
  description?: string;
  /** The heading in the documentation; derived from the path when omitted. */
  tag?: string;
  /** The status of success; 200 when omitted. */
  status?: number;
  /** Success statuses that a handler can answer besides `status`, with `withStatus`. */
  otherStatuses?: readonly number[];
  /** Refusals specific to the route; those of every route (401, 404, 422, …) need no mention. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** `plan`: the answer to a dry run that has a status of its own. */
  examples?: { body?: unknown; reply?: unknown; plan?: unknown };
  /** The path parameter that names the organization of the request; callers who are not members get 404. */
  organizationParam?: string;
  /**
   * The path that shows the record which the request changes. Its body may then have `expected_updated_at`, and the handler calls
   * `refuseChanged` with the record locked.
   */
  record?: string;
  /** A GET that changes something: it has no HEAD, and a session has to prove its origin as for other changes. */
  changes?: true;
  /** Callers add parameters of their own to the address: they are ignored. Others get 422 for an unknown parameter. */
  ignoresQuery?: true;
  /** Accepts a body of any type and passes its bytes to the handler. */
  rawBody?: boolean;
  /**
   * Accepts a body of application/octet-stream and passes it to the handler as it arrives, at the handler's pace. An
   * `Idempotency-Key` has no effect.
   */
  streamBody?: true;
  /** How long the client may take to send the body of a route with `streamBody`, in milliseconds. */
  bodyTimeoutMs?: number;
  /** The answer shows a secret only once: a repetition gets it only with the credential of the first request. */
  showsSecret?: true;
  /** The largest body in bytes, if it differs from the usual limit. */
  bodyLimit?: number;
  /** The answer is a stream of this type, and `reply` describes one item. */
  streams?: string;
  /** The body of its refusals, where another library answers in place of the application. */
  refusalBody?: TSchema;
}

export interface RouteDefinition<P extends RoutePermission, WithoutOrganization, Params, Query, Body, Reply>
  extends Described {
  permission: P;
  /** Also answers callers who are in no organization. */
  withoutOrganization?: WithoutOrganization;
  /** Public routes only. Refuses a request by throwing, before its body is read. */
  admit?: P extends "public" ? (ctx: PublicContext, params: StaticOf<Params>) => Promise<void> : never;
  /** Object schema; an invalid value answers 404. Use `Id` of schemas.ts. */
  params?: Params;
  /** Object schema; strings are converted to the types it names. Use `PageQuery` for lists. */
  query?: Query;
  /** Object schema; unknown fields are dropped with a warning, and all invalid fields are reported at once. */
  body?: Body;
  /** A GET that leaves an entry in the audit log nevertheless, or does so for a query: it shows a secret. */
  isAudited?: true | ((query: StaticOf<Query>) => boolean);
  /** The body of a success; fields that are not in it are not sent. */
  reply: Reply;
  /**
   * The errors of the request beyond its schemas, by field. Also called when fields of query or body do not fit the schema, so that
   * all errors are reported at once: they are left out then, and so are entries of lists. Positions in the returned fields count
   * the other entries.
   */
  check?: (
    ctx: ContextOf<P, WithoutOrganization>,
    input: { params: StaticOf<Params>; query: Partly<StaticOf<Query>>; body: Partly<StaticOf<Body>> },
  ) => Promise<FieldErrors> | FieldErrors;
  handle: (
    ctx: ContextOf<P, WithoutOrganization>,
    input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
  ) => Promise<Result<StaticOf<Reply>>> | Result<StaticOf<Reply>>;
}

/** One entry of the route table: data for the HTTP application, OpenAPI and the coverage tests. */
export interface Route extends Described {
  permission: RoutePermission;
  withoutOrganization?: true;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  isAudited?: true | ((query: unknown) => boolean);
  reply: TSchema;
  admit?: (ctx: PublicContext, params: unknown) => Promise<void>;
  check?: (
    ctx: RequestContext,
    input: { params: unknown; query: unknown; body: unknown },
  ) => Promise<FieldErrors> | FieldErrors;
  handle: (ctx: RequestContext, input: Input<unknown, unknown, unknown>) => Promise<unknown> | unknown;
}

/**
 * Derives the handler's types from the schemas; the table itself is uniform, so this is the one place where types are
 * dropped.
 */
export function route<
  const P extends RoutePermission,
  Reply extends TSchema,
  const WithoutOrganization extends true | undefined = undefined,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(definition: RouteDefinition<P, WithoutOrganization, Params, Query, Body, Reply>): Route {
  const { record, body } = definition;
  return { ...definition, ...(record && body ? { body: withExpected(body) } : {}) } as unknown as Route;
}

/** Its name in the OpenAPI document, `postProjectsIdMove`: stable while method and path do not change. */
export function operationId({ method, path }: Pick<Route, "method" | "path">): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "api" && word !== "v1");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export const namesIn = (path: string): string[] => path.match(/(?<=:)\w+/g) ?? [];

/** The parameters of a path that contains the same ids as another, whose names for them may differ. */
export function paramsAs(path: string, other: { path: string; params: object }): Record<string, unknown> {
  const ids = namesIn(other.path).map((name) => (other.params as Record<string, unknown>)[name]);
  return Object.fromEntries(namesIn(path).map((name, at) => [name, ids[at]]));
}

/** Whether the query may name the organization of the request: links and downloads cannot send a header. */
export const queryNamesOrganization = ({ method, permission, ignoresQuery }: Route): boolean =>
  method === "GET" && permission !== "public" && !ignoresQuery;

/** Whether a dry run of the route is answered by a 200 of its own; in other routes the reply itself has the plan. */
export const hasPlannedReply = ({ query, status = 200 }: Route): boolean =>
  status !== 200 && Object.hasOwn((query as TObject | undefined)?.properties ?? {}, "dry_run");

// An organization of others is refused when the caller is admitted, whatever the text is.
const OrganizationInQuery = Type.Optional(
  Type.Unsafe<unknown>({
    description: "As X-Organization, for links and downloads",
    documentedAs: { type: "integer", minimum: 1 },
  }),
);

/** Every parameter that the query of a route may have. */
export function querySchema(route: Route): TSchema {
  const own = route.query ?? Type.Object({});
  if (!queryNamesOrganization(route)) return own;
  return Type.Object({ ...(own as TObject).properties, organization: OrganizationInQuery });
}
