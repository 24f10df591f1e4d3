import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/settings/tokens",
  empty: withoutItems("GET /api/v1/me/tokens", "GET /api/v1/organizations/{id}/tokens"),
});
