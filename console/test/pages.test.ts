import { checkStories } from "./check-stories.ts";

// Those of projects and servers have a test of their own, which runs beside this one.
await checkStories((story) => /^pages\/(?!project-|server-)/.test(story));
