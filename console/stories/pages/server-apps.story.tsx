import { example, exampleOf, listed, ofServer, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { projects } from "../records.ts";

const app = exampleOf("GET /api/v1/servers/{id}/apps");
const lacking = {
  ...app,
  ...{ slug: "n8n", name: "n8n", category: "Automation", summary: "Workflows between services." },
  ...{ available: false, unavailable_reasons: ["n8n needs PostgreSQL; web-1 has MariaDB."] },
};
const installed = projects(4).map((project) => ({
  ...project,
  ...{ source_type: "app" as const, app_slug: app.slug, app_version: "7.0.1", last_deployment: null },
}));

export const { alone, states } = pageStory({
  address: "/o/1/servers/1/apps",
  always: ofServer,
  filled: {
    "GET /api/v1/projects": listed(installed),
    "GET /api/v1/servers/{id}/apps": { ...example("GET /api/v1/servers/{id}/apps"), data: [app, lacking] },
  },
  empty: withoutItems("GET /api/v1/projects"),
});
