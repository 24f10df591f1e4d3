import { example, listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { incidents, monitorNames, statusPage } from "../status-page-fixtures.ts";

const monitor = example("GET /api/v1/monitors/{id}");

export const { alone, states } = pageStory({
  address: "/o/1/monitors/status-pages/1",
  filled: {
    "GET /api/v1/status-pages/{id}": { status: "success", data: { ...statusPage, open_incidents: 3 } },
    "GET /api/v1/status-pages/{id}/incidents": listed(incidents),
    "GET /api/v1/monitors/{id}": ({ params }) => {
      const id = Number(params.id);
      return { ...monitor, data: { ...monitor.data, id, name: monitorNames.get(id) ?? "" } };
    },
  },
  empty: {
    "GET /api/v1/status-pages/{id}": { status: "success", data: { ...statusPage, monitors: [], is_public: false } },
    ...withoutItems("GET /api/v1/status-pages/{id}/incidents"),
  },
});
