import { marks, noise, remedies } from "../../../engine/runs/reason.ts";
import { initialSettings } from "../../projects/settings/schema.ts";
import type { Work } from "./work.ts";

// A process that has listened elsewhere for so long was written to.
const elsewhereSeconds = 10;

/**
 * Values of silent.sh, which finds out why a new process does not respond, for the step's last sentence. It needs `unit` and `port`.
 *
 * `give_up SENTENCE` shows the output of the process and stops, with the reason in that output. While nothing answers,
 * `give_up_elsewhere` stops when the process has listened for a while, but not where it is asked: unless the project has a time of
 * its own for the start, which it may need for that. At the end of the time, `look_where_it_listens` and `silence` stop with the
 * sentence about a process that runs and does not respond.
 */
export const silent = ({ settings }: Work) => ({
  noise,
  marks,
  remedy_marks: remedies.map(([mark]) => mark),
  remedies: remedies.map(([, remedy]) => remedy),
  health_path: settings.healthPath,
  elsewhere_seconds:
    settings.healthTimeoutSeconds === initialSettings.start_timeout_seconds
      ? elsewhereSeconds
      : settings.healthTimeoutSeconds,
});
