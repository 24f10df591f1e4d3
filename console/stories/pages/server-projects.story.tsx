import { listed, ofServer, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { projects } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/servers/1/projects",
  always: ofServer,
  filled: { "GET /api/v1/projects": listed(projects(12)) },
  empty: withoutItems("GET /api/v1/projects"),
});
