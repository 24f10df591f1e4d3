import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/settings/git-hosts",
  empty: withoutItems("GET /api/v1/source-providers"),
});
