import type { Redirect } from "../../../contract/types.ts";
import { example, ofProject } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const withRedirects = (redirects: Redirect[]) => ({
  "GET /api/v1/projects/{id}/redirects": {
    status: "success" as const,
    data: { ...example("GET /api/v1/projects/{id}/redirects").data, redirects },
  },
});

const redirects: Redirect[] = [
  { match: "exact", from: "/old", to: "/new", status: 301, keeps_query: true },
  {
    match: "pattern",
    from: "/articles/:year/:month/a-title-that-is-longer-than-a-phone-is-wide",
    to: "https://archive.example.com/articles/:year/:month",
    status: 308,
    keeps_query: false,
  },
  { match: "prefix", from: "/shop", to: "/store", status: 302, keeps_query: true },
  { match: "exact", from: "/gone", to: null, status: 410, keeps_query: true },
];

export const { alone, states } = pageStory({
  address: "/o/1/projects/7/domains",
  always: ofProject,
  empty: withRedirects([]),
  others: { "all kinds of redirects": withRedirects(redirects) },
});
