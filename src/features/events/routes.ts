import { type Route, route } from "../../http/route.ts";
import { streamEvents } from "./actions.ts";
import { EventData, EventQuery, eventKinds } from "./schema.ts";

const names = eventKinds.filter((kind) => kind.includes("."));

export const eventRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/events",
    summary: "Stream the organization's events",
    description:
      "Server-sent events about the records that the caller may read, of one organization. An event announces a change " +
      "and has the ids of the record; it does not contain the record: read that.\n\n" +
      `* Names: ${names.map((name) => `\`${name}\``).join(", ")}.\n` +
      "* `kinds` chooses some: `deployment` has all of that noun, `deployment.log` only that name.\n" +
      "* `state` is the record's state in a word, where it has one; `deleted` is true when it is gone.\n" +
      "* `attention.updated` has the `noun` and `id` of the record that began or ceased to need attention. Events of " +
      "`token` and `preferences`, of one's own SSH keys and of pins are for that user alone.\n" +
      "* `Last-Event-ID` resumes after that event, within `LONGSHORE_EVENT_RETENTION_DAYS`. An `id` without data comes " +
      "when events of others passed. A value that is no event's id counts as omitted.\n" +
      "* `events.missed` means that some events since then are no longer kept, or were lost in a failover of the " +
      "database: reload what you show.\n" +
      "* A comment every 15 seconds shows that the stream is alive.\n" +
      "* It ends at once, before any later event, when its token or session is revoked or the membership changes, and " +
      "within 15 seconds when the token expires.\n" +
      "* An account has at most 100 streams in one process; the next one gets 429.",
    permission: "any",
    query: EventQuery,
    errors: { rate_limited: "Too many requests in this minute, or too many streams of the account are open." },
    streams: "text/event-stream",
    reply: EventData,
    examples: {
      reply: { id: 7, server_id: 1, project_id: 7, state: "live", created_at: "2026-03-01T10:20:30.123456Z" },
    },
    handle: (ctx, { query }) => streamEvents(ctx, query),
  }),
];
