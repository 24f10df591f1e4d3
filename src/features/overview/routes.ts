import { type Route, route } from "../../http/route.ts";
import { List, Reply, success } from "../../http/schemas.ts";
import { showOverview } from "./actions.ts";
import { showActivity } from "./activity/actions.ts";
import { ActivityQuery, ActivitySlice } from "./activity/schema.ts";
import { showAttention, snoozeItem } from "./attention/actions.ts";
import {
  AttentionItem,
  AttentionQuery,
  longestSnoozeDays,
  mostItems,
  mostOfKind,
  Snoozed,
  SnoozeParams,
  SnoozeRequest,
} from "./attention/schema.ts";
import { activity, found, item, overview } from "./examples.ts";
import { Overview } from "./schema.ts";
import { search } from "./search/actions.ts";
import { mostFound, SearchQuery, SearchResult } from "./search/schema.ts";

export const overviewRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/overview",
    summary: "Count what is there, and list what runs",
    description:
      "The records that the caller reaches by their states, and the deployments that run or wait. A part that the " +
      "caller may not read is null. Counts of 10,000 records and more are up to a minute old.",
    permission: "any",
    reply: Reply(Overview),
    examples: { reply: success({ data: overview }) },
    handle: async (ctx) => success({ data: await showOverview(ctx) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/attention",
    summary: "List what needs attention",
    description:
      "What is wrong now, of all records that the caller reaches and may read: the worst first, then the newest. An item " +
      "is gone as soon as its cause is; the event `attention.updated` announces both.\n\n" +
      "* critical: visitors, data or people's work are affected. warning: they will be, or something is not as it was " +
      "asked for.\n" +
      "* A failed deployment is listed until a later one of the project on that server ended well or failed.\n" +
      "* `operation` is what mends it, with `params` in its path; null when nothing in this API does, or the caller may " +
      "not request it.\n" +
      `* At most ${mostOfKind} of each kind and ${mostItems} in all: \`kind\` and \`severity\` show the others.\n` +
      "* What the caller snoozed is left out.",
    permission: "any",
    query: AttentionQuery,
    reply: List(AttentionItem),
    examples: { reply: success({ data: [item] }) },
    handle: async (ctx, { query }) => success({ data: await showAttention(ctx, query) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/attention/:key/snooze",
    summary: "Hide what needs attention for some time",
    description:
      "Only from the caller: others still see it. It shows again at that time, or earlier when it " +
      `began again in between, such as with the next outage. At most ${longestSnoozeDays} days; null shows it at once.`,
    permission: "any",
    params: SnoozeParams,
    body: SnoozeRequest,
    reply: Snoozed,
    examples: {
      body: { until: "2036-03-02T08:00:00Z" },
      reply: success({ data: { key: item.key, until: "2036-03-02T08:00:00.000000Z" } }),
    },
    handle: async (ctx, { params, body }) => success({ data: await snoozeItem(ctx, params.key, body.until) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/search",
    summary: "Find records by name",
    description:
      `Up to ${mostFound} records that the caller reaches and may read, whose name contains the text: the same name ` +
      "first, then names that begin with it. Servers are also found by their address, members by their email. An empty " +
      "text finds nothing.",
    permission: "any",
    query: SearchQuery,
    reply: List(SearchResult),
    examples: { reply: success({ data: [found] }) },
    handle: async (ctx, { query }) => success({ data: await search(ctx, query.q ?? "") }),
  }),
  route({
    method: "GET",
    path: "/api/v1/activity",
    summary: "Read what people changed",
    description:
      "The audit log for everyone: requests that changed records which the caller reaches and may read, the newest " +
      "first, without addresses and tokens. `subject=project:5` is the history of one record. A page may have fewer " +
      "entries than `per_page` although there are more: each request looks through 5,000 entries of the log, and " +
      "`next_before` reads on.",
    permission: "project:read",
    query: ActivityQuery,
    reply: ActivitySlice,
    examples: { reply: { data: [activity], next_before: null } },
    handle: (ctx, { query }) => showActivity(ctx, query),
  }),
];
