import { example } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const stranger = example("GET /api/v1/me");

export const { alone, states } = pageStory({
  address: "/",
  always: {
    "GET /api/v1/me": { ...stranger, data: { ...stranger.data, current_organization_id: null, organizations: [] } },
  },
  readsNothing: true,
});
