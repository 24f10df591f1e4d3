import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/reset-password#TOKEN",
  readsNothing: true,
});
