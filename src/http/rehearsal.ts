import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool } from "pg";
import { rolledBack } from "../db/rolled-back.ts";
import { AppError } from "../lib/errors.ts";
import type { RequestContext } from "./route.ts";

// A rehearsal answers whether a request would be refused, and with what, by the code that would refuse it: it calls the handler,
// which ends before its change. Nothing that it does remains: the handler gets a pool that writes into a transaction which is rolled
// back, and neither servers nor providers.

const rehearsals = new AsyncLocalStorage<true>();

/** Thrown, so that it also leaves the transaction of the handler. It is no error of the request. */
class ChangeBegins extends Error {}

function beginChange(): never {
  throw new ChangeBegins("The rehearsal has ended.");
}

/** Marks where nothing refuses a request any more, before its body counts. It ends a rehearsal, and does nothing in a request. */
export function endRehearsal(): void {
  if (rehearsals.getStore()) beginChange();
}

/**
 * What refuses the request; undefined when nothing does. It ends where the handler calls `endRehearsal`, and at the latest where its
 * first transaction would be committed.
 */
export async function rehearse(
  ctx: RequestContext,
  handle: (ctx: RequestContext) => unknown,
): Promise<AppError | undefined> {
  try {
    await rolledBack(ctx.pool, beginChange, (pool) => rehearsals.run(true, async () => handle(isolated(ctx, pool))));
    return undefined;
  } catch (error) {
    if (error instanceof ChangeBegins) return undefined;
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}

function isolated(ctx: RequestContext, pool: Pool): RequestContext {
  const { config, queue, secrets, listener, hooks, actor, requestId, headers, ip, log, signal } = ctx;
  const inside = { config, queue, secrets, listener, hooks, actor, requestId, headers, ip, log, signal };
  return { ...inside, pool, hosts: outside("servers"), clouds: outside("providers") };
}

const outside = <Part extends object>(what: string): Part =>
  new Proxy((() => undefined) as unknown as Part, {
    get: () => refuseOutside(what),
    apply: () => refuseOutside(what),
  });

function refuseOutside(what: string): never {
  throw new Error(`A rehearsal reaches no ${what}: the handler has to end it before.`);
}
