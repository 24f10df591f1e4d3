import { listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { servers } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/servers",
  filled: { "GET /api/v1/servers": listed(servers(12)) },
  empty: withoutItems("GET /api/v1/servers"),
});
