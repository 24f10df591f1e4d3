import { listed, withoutItems } from "../answers.ts";
import { windows } from "../maintenance-window-fixtures.ts";
import { pageStory } from "../page-story.tsx";

export const { alone, states } = pageStory({
  address: "/o/1/monitors/windows",
  filled: { "GET /api/v1/maintenance-windows": listed(windows) },
  empty: withoutItems("GET /api/v1/maintenance-windows"),
});
