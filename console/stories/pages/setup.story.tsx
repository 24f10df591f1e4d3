import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/setup#CODE",
  filled: { "GET /api/v1/setup": { status: "success", data: { needed: true, password_command: null } } },
  others: { done: { "GET /api/v1/setup": { status: "success", data: { needed: false, password_command: null } } } },
});
