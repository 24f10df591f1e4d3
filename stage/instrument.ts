import assert from "node:assert/strict";
import { runnerPath } from "../src/host/runner/runner.ts";
import { waitFor } from "./api-client.ts";
import type { Stage } from "./support.ts";

// Holds runs at one of their steps, as long as wanted: the runner on the server runs each step through a script of ours,
// which waits at a gate before the step's work, or after it and before the runner notices its end. The plan and the step's
// own script are exactly the platform's.

const home = "/var/lib/faults";

/** Where scripts run as root. */
type Server = Pick<Stage, "bash">;

export type Moment = "before" | "after";

export interface Hold {
  /** The project's number; empty for a plan of the server itself. */
  project: number | "";
  position: number;
  moment: Moment;
  /** Runs that are held at the same gate continue together. */
  gate: string;
}

// A gate is a held lock: waiting for it costs the server no processor time, and a reboot opens it, after all waiting
// processes have ended. A gate that a file shuts stays shut over a boot.
const holdScript = `#!/bin/bash
# MOMENT SCRIPT
[[ $2 = */steps/* ]] || exit 0
position=\${2##*/} run=\${2%/steps/*}
position=\${position%.sh} run=\${run##*/}
project=$(grep -ohEm1 'projects/[0-9]+' "$2" "\${2%/*}"/*.sh 2> /dev/null | head -n 1)
project=\${project#projects/}
exec {quiet}<> <(:)
read -r moment gate 2> /dev/null < ${home}/holds/"$project.$position" || moment=none
if [[ $moment != "$1" ]]; then exit; fi
: > ${home}/arrived/"$project.$position"
# What ends the wait otherwise ends the step as an interruption of it would.
flock --shared ${home}/gates/"$gate" true || exit 143
while [[ -e ${home}/gates/"$gate.shut" ]]; do read -rt 0.05 -u "$quiet" || true; done
`;

const stepScript = `#!/bin/bash
${home}/hold before "$1" || exit
bash "$1"
status=$?
${home}/hold after "$1" || exit
exit "$status"
`;

// A held step must not reach its timeout. A sandboxed step is held outside of its sandbox.
const patches = [
  String.raw`s|timeout --kill-after=5 "\$seconds" bash "(\$runs/\$run/\$script)" &$|timeout --kill-after=5 $((seconds * 20)) ${home}/step "\1" \&|`,
  String.raw`s|^( *)run_sandboxed "\$script" "\$seconds" (>.*) &$|\1{ ${home}/hold before "$runs/$run/$script" \&\& (run_sandboxed "$script" "$seconds"); status=$?; ${home}/hold after "$runs/$run/$script" \|\| exit; exit "$status"; } \2 \&|`,
];

/** Installs the instrument on a server that has the runner, before anything is held. */
export async function installInstrument({ bash }: Server): Promise<void> {
  await bash(`
    mkdir -p ${home}/holds ${home}/arrived ${home}/gates
    chmod 1777 ${home}/arrived
    cat > ${home}/hold <<'HOLD'\n${holdScript}HOLD
    cat > ${home}/step <<'STEP'\n${stepScript}STEP
    chmod 755 ${home}/hold ${home}/step
    sed -E -i ${patches.map((patch) => `-e '${patch}'`).join(" ")} ${runnerPath}
    [ "$(grep -c '${home}/' ${runnerPath})" = 2 ]`);
}

/** Closes the gates of the holds and sets the holds; former holds are dropped. */
export async function setHolds({ bash }: Server, holds: readonly Hold[]): Promise<void> {
  const gates = [...new Set(holds.map(({ gate }) => gate))];
  const lines = holds.map(({ project, position, moment, gate }) => `${project}.${position} ${moment} ${gate}`);
  await bash(`
    systemctl stop 'faults-gate-*'
    find ${home}/holds ${home}/arrived -type f -delete
    for gate in ${gates.join(" ")}; do
      touch ${home}/gates/$gate
      systemd-run --quiet --collect --property=DefaultDependencies=no --unit=faults-gate-$gate \\
        flock --exclusive ${home}/gates/$gate sleep infinity
    done
    for gate in ${gates.join(" ")}; do
      while flock --nonblock --shared ${home}/gates/$gate true; do sleep 0.01; done
    done
    while read -r file moment gate; do echo "$moment $gate" > ${home}/holds/$file; done <<'HOLDS'\n${lines.join("\n")}\nHOLDS`);
}

/** Waits until every run that has a hold has reached it. */
export async function waitUntilHeld(server: Server, holds: readonly Hold[], timeoutMs = 240_000): Promise<void> {
  const wanted = holds.map(({ project, position }) => `${project}.${position}`);
  let missing = wanted;
  await waitFor(
    "the runs to be at the steps where they are held",
    async () => {
      const arrived = new Set((await server.bash(`ls -A ${home}/arrived`)).split("\n"));
      missing = wanted.filter((name) => !arrived.has(name));
      return missing.length === 0;
    },
    { timeoutMs },
  ).catch(() => assert.fail(`These did not come to the step where they are to be held: ${missing.join(", ")}`));
}

/** Waits until a run of the project is held, and removes its mark: the next run to be held there is another one. */
export async function waitForHeld({ bash }: Server, project: number): Promise<void> {
  const found = `find ${home}/arrived -name '${project}.*'`;
  await waitFor(`a run of project ${project} to be held`, async () => (await bash(`${found} -print -delete`)) !== "", {
    timeoutMs: 180_000,
  });
}

/** Releases the runs that are held at a gate; a reboot may have opened it. */
export const openGate = ({ bash }: Server, gate: string): Promise<string> =>
  bash(`systemctl stop 'faults-gate-${gate}.servic[e]'`);

/** Keeps the gates of the holds closed over boots, too. */
export const shutGates = ({ bash }: Server, holds: readonly Hold[]): Promise<string> =>
  bash(holds.map(({ gate }) => `touch ${home}/gates/${gate}.shut`).join("\n"));

/** Opens such a gate. */
export const openShutGate = async (server: Server, gate: string): Promise<void> => {
  await server.bash(`rm ${home}/gates/${gate}.shut`);
  await openGate(server, gate);
};
