import { example, ofServer } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

const server = example("GET /api/v1/servers/{id}");
const own = { ...server, data: { ...server.data, is_this_machine: true } } as typeof server;

export const { alone, states } = pageStory({
  address: "/o/1/servers/1/settings",
  always: {
    ...ofServer,
    "GET /api/v1/servers/{id}": ({ params }) => (params.id === "2" ? own : server),
  },
  elsewhere: { "this machine": "/o/1/servers/2/settings" },
});
