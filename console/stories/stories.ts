import type { ComponentType } from "react";

/** What a file `NAME.story.tsx` exports. */
export interface Story {
  /** Each with fixed data: the same picture every time. */
  states: Record<string, ComponentType>;
  /** Each state has the window for itself: pages, and what floats. */
  alone?: boolean;
}

const files = import.meta.glob<Story>("./**/*.story.tsx", { eager: true });

const nameOf = (file: string): string => file.replace(/^\.\/|\.story\.tsx$/g, "");

export const stories: ReadonlyMap<string, Story> = new Map(
  Object.entries(files).map(([file, story]) => [nameOf(file), story]),
);
