import type { Step } from "../../engine/runs/plan.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptFile } from "../../host/script-file.ts";
import type { AppWork } from "./app.ts";
import { fileCopyOf } from "./copies.ts";
import { asProject } from "./steps.ts";

/**
 * Copies shared files that an update changes, such as settings that contain the version. An undo restores them. `paths` are
 * relative to the shared directory; missing files are skipped.
 */
export function keepFiles({ layout }: Pick<AppWork, "layout">, paths: readonly string[]): Step {
  const script = (name: string) =>
    scriptFile(new URL(`scripts/${name}`, import.meta.url), { copy: fileCopyOf(layout), shared: layout.shared, paths });
  return asProject(
    layout,
    { key: "keep-files", label: "Keep a copy of the settings", sentence: "The settings could not be copied." },
    script("keep-files.sh"),
    {
      phase: "update",
      undo: withPrelude("The former settings could not be put back.", script("restore-files.sh")),
    },
  );
}
