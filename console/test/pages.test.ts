import { checkStories } from "./check-stories.ts";

await checkStories((story) => story.startsWith("pages/"));
