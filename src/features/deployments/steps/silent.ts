import { noise } from "../../../engine/runs/reason.ts";
import type { Work } from "./work.ts";

/**
 * Values of silent.sh, which finds out why a new process does not respond, for the step's last sentence. It needs `unit` and `port`.
 *
 * `give_up SENTENCE` shows the output of the process and stops, quoting its last line that is not noise. `silence` prints the
 * sentence about a process that runs and does not respond: it names the addresses on which the unit's processes listen instead.
 */
export const silent = (work: Work) => ({ noise, health_path: work.settings.healthPath });
