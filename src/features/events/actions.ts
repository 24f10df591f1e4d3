import type { Static } from "typebox";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { watchAccess } from "../accounts/watch.ts";
import { feedOf } from "./feed.ts";
import type { EventQuery } from "./schema.ts";
import { EventStream } from "./stream.ts";

/** Streams the organization's events to a client, for as long as it stays and is authorized. */
export async function streamEvents(ctx: RequestContext, query: Static<typeof EventQuery>): Promise<StreamAnswer> {
  const { actor, pool, log } = ctx;
  const [feed, isAuthorized] = [await feedOf(ctx), await watchAccess(ctx)];
  const stream = new EventStream({ actor, pool, log, kinds: query.kinds, feed, isAuthorized });
  try {
    // An invalid position is ignored: the stream begins now.
    const text = ctx.headers["last-event-id"] ?? query.last_event_id;
    const position = /^\d{1,15}$/.test(String(text)) ? Number(text) : undefined;
    await stream.open(position);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return new StreamAnswer("text/event-stream; charset=utf-8", stream);
}
