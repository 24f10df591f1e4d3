import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/setup#CODE",
  filled: { "GET /api/v1/setup": { status: "success", data: { needed: true } } },
  others: { done: { "GET /api/v1/setup": { status: "success", data: { needed: false } } } },
});
