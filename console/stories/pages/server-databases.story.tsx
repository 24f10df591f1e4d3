import { ofServer, withoutItems } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/servers/1/databases",
  always: ofServer,
  empty: withoutItems("GET /api/v1/servers/{id}/databases", "GET /api/v1/servers/{id}/unmanaged-databases"),
});
