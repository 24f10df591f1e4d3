import { ofProject } from "../answers.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/projects/7/logs",
  always: ofProject,
});
