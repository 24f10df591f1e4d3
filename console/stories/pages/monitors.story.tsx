import { listed, withoutItems } from "../answers.ts";
import { monitors } from "../monitor-fixtures.ts";
import { pageStory } from "../page-story.tsx";
import { projects } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/monitors",
  filled: { "GET /api/v1/monitors": listed(monitors), "GET /api/v1/projects": listed(projects(5)) },
  empty: withoutItems("GET /api/v1/monitors"),
});
