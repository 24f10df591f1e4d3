import { ofServer } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/servers/1",
  always: ofServer,
});
