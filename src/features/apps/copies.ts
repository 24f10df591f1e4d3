import type { Step } from "../../engine/runs/plan.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import { sh } from "../../host/sh.ts";
import type { AppWork } from "./app.ts";
import { asProject } from "./steps.ts";

// Where an update keeps copies for its undo.

export const databaseCopyOf = ({ cache }: ProjectLayout): string => `${cache}/apps/database-copy`;

export const fileCopyOf = ({ cache }: ProjectLayout): string => `${cache}/apps/update-files`;

/** The copies are not needed any more. */
export const dropCopies = ({ layout }: Pick<AppWork, "layout">): Step => ({
  ...asProject(
    layout,
    { key: "drop-copies", label: "Remove the copies", sentence: "The copies could not be removed." },
    sh`rm -rf -- ${databaseCopyOf(layout)} ${fileCopyOf(layout)}`,
    { phase: "finish" },
  ),
  onFailure: "continue",
});
