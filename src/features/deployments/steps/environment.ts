import { type Step, step } from "../../../engine/runs/plan.ts";
import { phpEnvironment, programsOf } from "../../../host/php/pool.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines } from "../../../host/sh.ts";
import { hasItsPhp } from "./php.ts";
import { environmentOf, rollbackStatePath, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * PHP-FPM reads the environment variables at start, so it is restarted if they or its version changed; its socket queues requests
 * during the restart. This happens before the release is live, so that it is checked with the new variables.
 */
export const handEnvironment = (work: Work): Step =>
  step(
    "hand-environment",
    "Hand the environment variables to PHP",
    lines(
      hasItsPhp(work),
      script("hand-environment.sh", {
        ...digests(work),
        release_name: work.release,
        php_service: work.layout.phpService,
      }),
    ),
    {
      phase: "activate",
      timeoutSeconds: 120,
      undo: script("take-back-environment.sh", { ...digests(work), php_service: work.layout.phpService }),
    },
  );

// Digests of the variables that PHP was started with, and of the release's; `none` without variables. Includes the program if its
// version is not the server's.
const digests = (work: Work) => ({
  environment_directory: environmentOf(work),
  programs: programsOf(environmentOf(work)),
  link: phpEnvironment(work.layout),
  note: `${work.layout.state}/php-environment`,
  rollback_state: environmentStatePath(work),
});

/** The previous state, for the undo of a deployment under way. */
export const environmentStatePath = (work: Work): string => `${rollbackStatePath(work)}-environment`;
