import { setTimeout as pause } from "node:timers/promises";
import { unauthenticated } from "../../http/authenticate.ts";
import type { RequestContext } from "../../http/route.ts";
import { watchAccess } from "../accounts/watch.ts";
import { feedOf } from "./feed.ts";
import type { EventRow } from "./schema.ts";

interface Awaited {
  /** Reads whether there is nothing to wait for. */
  isSettled: () => Promise<boolean>;
  /** Whether an event reports what is waited for. */
  settles: (event: EventRow) => boolean;
}

/**
 * Waits for an event of the organization, for at most `timeoutMs`, or until the client disconnects or the server closes. The feed
 * delivers it: nothing is read for this client in between. Throws 401 when its access ended.
 */
export async function awaitEvent(
  ctx: RequestContext,
  { isSettled, settles }: Awaited,
  timeoutMs: number,
): Promise<void> {
  const { organizationId, userId } = ctx.actor;
  const [feed, isAuthorized] = await Promise.all([feedOf(ctx), watchAccess(ctx)]);
  const settled = new AbortController();
  const settle = () => settled.abort();
  const settleUnlessAuthorized = () => void isAuthorized().then((isStill) => isStill || settle(), settle);
  const lookAgain = () => void isSettled().then((isNow) => isNow && settle(), settle);
  const subscriber = {
    organizationId,
    userId,
    onEvent: (event: EventRow) => settles(event) && settle(),
    onLoss: lookAgain,
    beat: () => {},
    recheck: settleUnlessAuthorized,
  };
  await feed.join(subscriber);
  try {
    if (await isSettled()) return;
    const signal = AbortSignal.any([settled.signal, ctx.signal]);
    await pause(timeoutMs, undefined, { signal }).catch(() => undefined);
  } finally {
    feed.leave(subscriber);
  }
  if (!(await isAuthorized())) throw unauthenticated();
}
