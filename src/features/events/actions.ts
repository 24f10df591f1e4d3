import { credentialOf } from "../../http/authenticate.ts";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { findAccount } from "../accounts/authenticator.ts";
import { feedOf } from "./feed.ts";
import { findMembershipState } from "./queries.ts";
import { EventStream } from "./stream.ts";

/** Streams the organization's events to a client, for as long as it stays and is authorized. */
export async function streamEvents(ctx: RequestContext, query: { last_event_id?: unknown }): Promise<StreamAnswer> {
  const { actor, pool, log } = ctx;
  const stream = new EventStream({ actor, pool, log, feed: await feedOf(ctx), isWelcome: await watchOf(ctx) });
  try {
    await stream.open(positionOf(ctx.headers["last-event-id"] ?? query.last_event_id));
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return new StreamAnswer("text/event-stream; charset=utf-8", stream);
}

/** Whether the credential is still good and the membership still what it was when the stream began. */
async function watchOf(ctx: RequestContext): Promise<() => Promise<boolean>> {
  const { pool, actor, headers, config } = ctx;
  const credential = credentialOf({ headers, method: "GET" }, config.publicUrl);
  const membership = () => findMembershipState(pool, actor.userId, actor.organizationId);
  const atFirst = await membership();
  return async () => {
    const [account, now] = await Promise.all([findAccount(ctx, credential), membership()]);
    return account !== undefined && now === atFirst;
  };
}

/** Anything but a position counts as none: the stream begins now. */
function positionOf(text: unknown): number | undefined {
  const position = /^\d{1,15}$/.test(String(text)) ? Number(text) : undefined;
  return Number.isSafeInteger(position) ? position : undefined;
}
