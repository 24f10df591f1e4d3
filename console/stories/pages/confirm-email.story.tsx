import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/confirm-email#TOKEN",
  readsNothing: true,
});
