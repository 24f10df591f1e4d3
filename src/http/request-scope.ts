import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Context } from "../context.ts";
import type { Actor } from "./actor.ts";
import { addressOf } from "./audit.ts";
import type { RequestContext } from "./route.ts";

/** The context of a handler. Each request gets its own, so it copies little and creates rarely used parts on demand. */
export class RequestScope implements RequestContext {
  readonly config: Context["config"];
  readonly pool: Pool;
  readonly queue: Context["queue"];
  readonly secrets: Context["secrets"];
  readonly hosts: Context["hosts"];
  readonly listener: Context["listener"];
  readonly clouds: Context["clouds"];
  readonly hooks: Context["hooks"];
  readonly actor: Actor;
  readonly requestId: string;
  readonly headers: RequestContext["headers"];
  readonly expectedUpdatedAt: string | undefined;
  readonly #logger: Context["log"];
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #stopping: AbortSignal;
  #log: Context["log"] | undefined;
  #gone: AbortSignal | undefined;

  /** `pool` replaces the pool of the context, and `expected` is what the request expects of its record. */
  constructor(
    { ctx, stopping }: { ctx: Context; stopping: AbortSignal },
    request: FastifyRequest,
    reply: FastifyReply,
    pool = ctx.pool,
    expected?: string,
  ) {
    this.expectedUpdatedAt = expected;
    this.config = ctx.config;
    this.pool = pool;
    this.queue = ctx.queue;
    this.secrets = ctx.secrets;
    this.hosts = ctx.hosts;
    this.listener = ctx.listener;
    this.clouds = ctx.clouds;
    this.hooks = ctx.hooks;
    // Typed as an Actor for the routes that need an organization, which are refused without one.
    this.actor = request.caller as Actor;
    this.requestId = request.id;
    this.headers = request.headers;
    this.#request = request;
    this.#logger = ctx.log;
    this.#reply = reply;
    this.#stopping = stopping;
  }

  get ip(): string | null {
    return addressOf(this.#request.ip);
  }

  get log(): Context["log"] {
    this.#log ??= this.#logger.child({ requestId: this.requestId });
    return this.#log;
  }

  /** Aborts when the client disconnects or the process stops. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      const closed = new AbortController();
      this.#reply.raw.once("close", () => closed.abort());
      this.#gone = AbortSignal.any([closed.signal, this.#stopping]);
    }
    return this.#gone;
  }
}
