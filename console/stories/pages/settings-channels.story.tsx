import { withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/settings/channels",
  empty: withoutItems("GET /api/v1/notification-channels"),
});
