import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/settings/providers",
  empty: withoutItems("GET /api/v1/server-providers", "GET /api/v1/server-orders"),
});
