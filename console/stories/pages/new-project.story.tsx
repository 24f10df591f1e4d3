import { listed, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";
import { servers } from "../records.ts";

export const { alone, states } = pageStory({
  address: "/o/1/projects/new",
  empty: withoutItems("GET /api/v1/servers"),
  others: {
    "no server accepts any": {
      "GET /api/v1/servers": listed(
        servers(3).map((server) => ({
          ...server,
          accepts_projects: false,
          reason: `The setup of ${server.name} has not ended yet: wait until its server_status is 10.`,
        })),
      ),
    },
  },
});
