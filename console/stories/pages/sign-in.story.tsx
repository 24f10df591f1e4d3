import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/sign-in",
  always: { "GET /api/auth/get-session": null },
  readsNothing: true,
});
