import { checkStories } from "./check-stories.ts";

// Those of pages have a test of their own, which runs beside this one.
await checkStories((story) => !story.startsWith("pages/"));
