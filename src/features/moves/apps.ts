import { type ProjectLayout, projectLayout } from "../../host/layout.ts";
import type { PlacedProject } from "../projects/schema.ts";

/** Files of a catalog application besides the shared ones. They are copied; a project with a repository is built instead. */
export interface AppFiles {
  /** Number of the live release. */
  release: number;
  /** Directory below the project's cache whose files, but not subdirectories, are copied. */
  downloads: string;
}

/** The directory of an application's downloads, which include programs that its jobs run. */
export const appDownloads = ({ cache }: Pick<ProjectLayout, "cache">): string => `${cache}/apps`;

/** Undefined if the project is not an application. */
export const appFilesOf = ({ id, source_type, placement }: PlacedProject): AppFiles | undefined =>
  source_type === "app" && placement.live_release_id !== null
    ? { release: placement.live_release_id, downloads: appDownloads(projectLayout(id)) }
    : undefined;
