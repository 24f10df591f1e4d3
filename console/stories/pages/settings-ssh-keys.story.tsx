import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/settings/ssh-keys",
  empty: withoutItems("GET /api/v1/ssh-keys"),
});
