import { account, listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { projects } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/monitors/new?project=7",
  filled: { "GET /api/v1/projects": listed(projects(5)) },
  empty: withoutItems("GET /api/v1/projects"),
  others: {
    viewer: { "GET /api/v1/me": account({ role: "Viewer", permissions: ["project:read", "monitor:read"] }) },
  },
});
