import { checkStories } from "./check-stories.ts";

await checkStories((story) => /^pages\/(project|server)-/.test(story));
