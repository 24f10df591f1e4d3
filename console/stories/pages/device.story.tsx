import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/device#ABCD-EFGH",
});
