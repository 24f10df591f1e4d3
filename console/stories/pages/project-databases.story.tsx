import { ofProject, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/projects/7/databases",
  always: ofProject,
  empty: withoutItems("GET /api/v1/servers/{id}/databases"),
});
