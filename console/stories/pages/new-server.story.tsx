import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/servers/new",
  elsewhere: { "from a snapshot": "/o/1/servers/new?snapshot=3" },
  empty: withoutItems("GET /api/v1/server-providers"),
});
