import { listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { statusPages } from "../status-page-fixtures.ts";

export const { alone, states } = pageStory({
  address: "/o/1/monitors/status-pages",
  filled: { "GET /api/v1/status-pages": listed(statusPages) },
  empty: withoutItems("GET /api/v1/status-pages"),
});
