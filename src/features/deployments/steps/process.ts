import { type Step, step } from "../../../engine/runs/plan.ts";
import { unitPrefix } from "../../../host/layout.ts";
import { servedName } from "../../../host/nginx/names.ts";
import { scriptsBeside, setBefore } from "../../../host/script-file.ts";
import { lines, sh } from "../../../host/sh.ts";
import { freePortProgram, journalNamespace } from "../../../host/systemd/unit.ts";
import { installer } from "./installer.ts";
import { silent } from "./silent.ts";
import { expectation, expectedStatusHint, releaseOf, rollbackStatePath, stop, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/** Starts the release beside the live process, on the standby port. */
export function startOnStandbyPort(work: Work): Step {
  const { directory, slots, user, secondPortFlag } = work.layout;
  const [first, second] = portsOf(work);
  return step(
    "start-standby",
    "Start the new process",
    lines(
      sh`
        cd -- ${directory}
        if [[ ! -d ${releaseOf(work)} ]]; then
          ${stop} "The release is no longer on the server. Deploy its commit again."
        fi`,
      // `former port old`: the live release before, the port for the new process, the port of the old one; `-` for none.
      script("start-process.sh", {
        ...units(work),
        second_port_flag: secondPortFlag,
        first_port: first,
        second_port: second,
        slots,
        free_port: freePortProgram,
        user,
        release_name: work.release,
      }),
    ),
    {
      phase: "start",
      timeoutSeconds: 120,
      undo: script("stop-standby.sh", { ...units(work), slots }),
    },
  );
}

/** Waits until the new process responds; fails with its last output if it dies. */
export const checkHealth = (work: Work): Step =>
  step(
    "check-health",
    "Check that it answers",
    script("check-health.sh", {
      ...watching(work),
      health_seconds: work.settings.healthTimeoutSeconds,
      asked: asked(work),
    }),
    { phase: "start", timeoutSeconds: work.settings.healthTimeoutSeconds + 60 },
  );

/**
 * Watches the new process for a while: one that crashes a second after its start must not get visitors. Nor must one that opens the
 * installer of an application again.
 */
export const soak = (work: Work): Step =>
  step(
    "soak",
    "Watch that it stays healthy",
    script("soak.sh", {
      ...watching(work),
      ...installer(work),
      rounds: Math.max(1, Math.round(work.settings.soakMs / 250)),
    }),
    { phase: "start", timeoutSeconds: 300 },
  );

// The path, and the expected answer.
const asked = (work: Work): string => `${work.settings.healthPath}${expectedStatusHint(work)}`;

/** Values of watch-process.sh: `ask` sets `status`; `died` succeeds if the started process is gone; `give_up SENTENCE` shows its output. */
const watching = (work: Work) => ({
  ...units(work),
  ...expectation(work),
  ...silent(work),
  server_name: servedName(work.project.site),
});

const units = (work: Work) => ({
  rollback_state: rollbackStatePath(work),
  unit_prefix: unitPrefix(work.layout),
  journal: journalNamespace,
});

/** Switches all visitors to the new process at once, by a flag file that the site checks: nginx is not reloaded. */
export const switchUpstream = (work: Work): Step =>
  step(
    "switch-upstream",
    "Switch to the new process",
    lines(
      sh`
        cd -- ${work.layout.directory}
        read -r former port old < ${rollbackStatePath(work)}`,
      script("point-to.sh", pointing(work)),
      sh`
        point_to releases/${work.release} "$port" "$old"
        printf 'live_port %s\\n' "$port" >> "$LONGSHORE_FACTS"`,
    ),
    {
      phase: "activate",
      timeoutSeconds: 30,
      facts: { live_port: "port" },
      undo: lines(
        sh`
          if [[ ! -e ${rollbackStatePath(work)} ]]; then exit 0; fi
          cd -- ${work.layout.directory}
          read -r former port old < ${rollbackStatePath(work)}`,
        script("point-to.sh", pointing(work)),
        // After the switch a boot starts only the new process: the old one has to respond again before it gets visitors.
        script("run-old-again.sh", {
          ...units(work),
          old: setBefore,
          server_name: servedName(work.project.site),
          health_path: work.settings.healthPath,
          restart_seconds: Math.min(work.settings.healthTimeoutSeconds, longestRestartSeconds),
        }),
        sh`point_to "$former" "$old" "$port"`,
      ),
    },
  );

// The old process served before, so it starts soon or not at all.
const longestRestartSeconds = 60;

// Both are enabled for a moment: after a crash in between, the server starts at least one of them.
const pointing = (work: Work) => ({
  second_port_flag: work.layout.secondPortFlag,
  wants_prefix: `${work.layout.unitWants}/${unitPrefix(work.layout)}`,
  unit_template: work.layout.unitTemplate,
  second_port: portsOf(work)[1],
});

/**
 * Lets the old process finish its requests before it is stopped. nginx makes no new connection to it: a request whose body is
 * still arriving is sent to the new one. So no request can reach it once it has no connections. At the timeout it gets SIGTERM
 * with its connections open, and the unit's stop timeout to end them.
 */
export const drainOld = (work: Work): Step =>
  step(
    "drain-old",
    "Let the old process finish",
    script("drain-old.sh", {
      ...units(work),
      slots: work.layout.slots,
      drain_seconds: work.settings.drainTimeoutSeconds,
      // The site of a load balancer's node has no retry (host/nginx/site.ts).
      refuse_seconds: work.project.site.balancer ? 0 : work.settings.drainTimeoutSeconds + 60,
    }),
    { phase: "finish", onFailure: "continue", timeoutSeconds: work.settings.drainTimeoutSeconds + 90 },
  );

/** In-place projects have one process: it is stopped and started, with a gap in between. */
export const restartInPlace = (work: Work): Step => {
  return step(
    "restart",
    "Restart the process",
    script("restart-in-place.sh", {
      ...units(work),
      ...pointing(work),
      ...expectation(work),
      ...silent(work),
      server_name: servedName(work.project.site),
      project_directory: work.layout.directory,
      first_port: portsOf(work)[0],
      release_name: work.release,
      slots: work.layout.slots,
      health_seconds: work.settings.healthTimeoutSeconds,
      asked: asked(work),
    }),
    { phase: "start", timeoutSeconds: work.settings.healthTimeoutSeconds + 120, facts: { live_port: "port" } },
  );
};

const portsOf = (work: Work): readonly [number, number] => {
  if (!work.ports) throw new Error("Only a Node project has ports");
  return work.ports;
};
