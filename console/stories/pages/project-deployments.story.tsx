import { ofProject, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { deployments } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/projects/7/deployments",
  always: ofProject,
  filled: { "GET /api/v1/deployments": { data: deployments(30), next_before: null } },
  empty: withoutItems("GET /api/v1/deployments"),
});
