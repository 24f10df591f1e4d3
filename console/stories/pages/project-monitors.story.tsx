import { listed, ofProject, withoutItems } from "../answers.ts";
import { monitors } from "../monitor-fixtures.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/projects/7/monitors",
  always: ofProject,
  filled: { "GET /api/v1/monitors": listed(monitors) },
  empty: withoutItems("GET /api/v1/monitors"),
});
