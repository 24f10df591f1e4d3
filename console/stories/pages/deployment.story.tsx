import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/deployments/31",
});
