import { noise } from "../../../engine/runs/reason.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import type { Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Finds out why a new process does not respond, for the step's last sentence. Needs `unit`, `port`, `stop` and `last_lines`.
 *
 * `give_up SENTENCE` shows the output of the process and stops, quoting its last line that is not noise. `silence` prints the
 * sentence about a process that runs and does not respond: it names the addresses on which the unit's processes listen instead.
 */
export const silentFunctions = (work: Work): Script =>
  script("silent.sh", { noise, health_path: work.settings.healthPath });
