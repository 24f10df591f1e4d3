import { type Route, route } from "../../http/route.ts";
import { streamEvents } from "./actions.ts";
import { EventData, EventQuery } from "./schema.ts";

export const eventRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/events",
    summary: "Stream the organization's events",
    description:
      "Server-sent events about what the caller may read. `Last-Event-ID` resumes after that event; `events.missed` reports " +
      "that some since then are not kept any more. A comment every 15 seconds shows that the stream is alive. It ends at " +
      "once when the token is revoked or the membership changes, and within 15 seconds when the token expires. An account " +
      "has at most 100 streams open.",
    permission: "any",
    query: EventQuery,
    errors: { rate_limited: "Too many requests in this minute, or too many streams of the account are open." },
    streams: "text/event-stream",
    reply: EventData,
    handle: (ctx, { query }) => streamEvents(ctx, query),
  }),
];
