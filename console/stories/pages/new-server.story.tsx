import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/servers/new",
  empty: withoutItems("GET /api/v1/server-providers"),
});
