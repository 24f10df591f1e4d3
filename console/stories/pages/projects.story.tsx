import { listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { projects } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/projects",
  filled: { "GET /api/v1/projects": listed(projects(40)) },
  empty: withoutItems("GET /api/v1/projects"),
});
