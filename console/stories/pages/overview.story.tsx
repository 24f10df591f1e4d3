import { pageStory } from "../page-story.tsx";
import { deployments } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1",
  filled: {
    "GET /api/v1/deployments": { data: deployments(8), next_before: null },
  },
});
