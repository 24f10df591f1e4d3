import { type Step, step } from "../../../engine/plan.ts";
import { unitPrefix } from "../../../host/layout.ts";
import { drainFunctions } from "../../../host/network/ports.ts";
import { requestFunctions } from "../../../host/network/request.ts";
import { servedName } from "../../../host/nginx/names.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { freePortProgram, journalNamespace } from "../../../host/systemd/unit.ts";
import { silentFunctions } from "./silent.ts";
import { expectation, insteadOf, releaseOf, rememberedOf, stopFunction, tornOf, type Work } from "./work.ts";

/** Starts the release beside the live process, on the standby port. */
export const startOnStandbyPort = (work: Work): Step =>
  step(
    "start-standby",
    "Start the new process",
    lines(
      stopFunction,
      unitFunction(work),
      sh`
        cd -- ${work.layout.directory}
        if [[ ! -d ${releaseOf(work)} ]]; then
          stop "The release is no longer on the server. Deploy its commit again."
        fi`,
      rememberPorts(work),
      start(work),
    ),
    { phase: "start", timeoutSeconds: 120, undo: stopStandby(work) },
  );

// `former port old`: the live release before, the port for the new process, the port of the old one; `-` for none.
const rememberPorts = (work: Work): Script => {
  const [first, second] = portsOf(work);
  return sh`
    remembered=${rememberedOf(work)}
    if [[ ! -e $remembered ]]; then
      former=- port=${first} old=-
      if [[ -L current ]]; then
        former=$(readlink current)
        if [[ -e ${work.layout.secondPortFlag} ]]; then old=${second}; else old=${first} port=${second}; fi
      fi
      echo "$former $port $old" > ${tornOf(work)}
      mv -T ${tornOf(work)} "$remembered"
    fi
    read -r former port old < "$remembered"`;
};

const start = (work: Work): Script => sh`
  ${drainFunctions}
  # A drain that was interrupted may have left the port closed to nginx.
  accept_requests "$port"
  ln -sfn ../releases/${work.release} ${work.layout.slots}/"$port"
  unit=$(unit_on "$port")
  # A process that was left there by a run that died is replaced.
  systemctl stop "$unit"
  ${freePortProgram} "$port" ${work.layout.user}
  # Another program that answers there would pass for the new process.
  holder=$(ss -Hltnp "sport = :$port")
  if [[ $holder ]]; then
    pattern='users:\\(\\("([^"]+)",pid=([0-9]+)' program='another program'
    if [[ $holder =~ $pattern ]]; then program="\${BASH_REMATCH[1]} (process \${BASH_REMATCH[2]})"; fi
    stop "Port $port, where the new process would listen, is in use by $program. End it or give it another port, and deploy again."
  fi
  if ! systemctl start "$unit"; then
    last_lines "$unit"
    stop "The process could not be started; its last lines are above."
  fi
  echo "Started a process on port $port."`;

const stopStandby = (work: Work): Script =>
  lines(
    unitFunction(work),
    sh`
      rm -f -- ${tornOf(work)}
      if [[ ! -e ${rememberedOf(work)} ]]; then exit 0; fi
      read -r former port old < ${rememberedOf(work)}
      systemctl stop "$(unit_on "$port")" || true
      rm -f -- ${work.layout.slots}/"$port" ${rememberedOf(work)}`,
  );

/** Waits until the new process responds; fails with its last output if it dies. */
export const checkHealth = (work: Work): Step =>
  step(
    "check-health",
    "Check that it answers",
    lines(
      watchFunctions(work),
      sh`
        end=$((SECONDS + ${work.settings.healthTimeoutSeconds}))
        for ((tries = 1; ; tries++)); do
          ask
          if is_expected; then break; fi
          died && give_up "The process ended before it answered"
          if ((SECONDS >= end)); then
            if [[ $status ]]; then give_up "The process answers $status on port $port to a request for "${asked(work)}; fi
            give_up "$(silence)"
          fi
          if ((tries < 20)); then sleep 0.05; else sleep 0.2; fi
        done
        echo "The new process answers $status on port $port."`,
    ),
    { phase: "start", timeoutSeconds: work.settings.healthTimeoutSeconds + 60 },
  );

/** Watches the new process for a while: one that crashes a second after its start must not get visitors. */
export const soak = (work: Work): Step =>
  step(
    "soak",
    "Watch that it stays healthy",
    lines(
      watchFunctions(work),
      sh`
        rounds=${Math.max(1, Math.round(work.settings.soakMs / 250))}
        for ((round = 0; round < rounds; round++)); do
          sleep 0.25
          died && give_up "The process ended shortly after it had answered"
          ask
          is_expected || give_up "The process answered \${status:-nothing} shortly after it had been healthy"
        done
        echo "The new process stays healthy."`,
    ),
    { phase: "start", timeoutSeconds: 300 },
  );

// The path, and the expected answer.
const asked = (work: Work): string => `${work.settings.healthPath}${insteadOf(work)}`;

/** `ask` sets `status`; `died` succeeds if the started process is gone; `give_up SENTENCE` shows its output. */
const watchFunctions = (work: Work): Script =>
  lines(
    requestFunctions,
    stopFunction,
    unitFunction(work),
    expectation(work),
    silentFunctions(work),
    sh`
      read -r former port old < ${rememberedOf(work)}
      unit=$(unit_on "$port")
      ask() { http_get "$port" ${servedName(work.project.site)} ${work.settings.healthPath}; }
      # systemd restarts it when it dies: the number of starts shows that.
      restarts=0 process=0
      while IFS='=' read -r key value; do
        case $key in NRestarts) restarts=$value ;; MainPID) process=$value ;; esac
      done < <(systemctl show --property=NRestarts,MainPID "$unit")
      died() { ((restarts > 0)) || [[ $process = 0 || ! -d /proc/$process ]]; }`,
  );

const unitFunction = (work: Work): Script => sh`
  unit_on() { echo ${unitPrefix(work.layout)}"$1.service"; }
  # Only the output of the process itself, not of systemd about it, nor of an earlier process on this port.
  last_lines() {
    local since
    since=$(stat --format=@%Y ${rememberedOf(work)} 2> /dev/null) || since=-1min
    journalctl ${`--namespace=${journalNamespace}`} --sync 2> /dev/null || true
    journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat --lines=20 --since="$since" "_SYSTEMD_UNIT=$1" || true
  }`;

/** Switches all visitors to the new process at once, by a flag file that the site checks: nginx is not reloaded. */
export const switchUpstream = (work: Work): Step =>
  step(
    "switch-upstream",
    "Switch to the new process",
    lines(
      sh`
        cd -- ${work.layout.directory}
        read -r former port old < ${rememberedOf(work)}`,
      pointTo(work),
      sh`
        point_to releases/${work.release} "$port" "$old"
        printf 'live_port %s\\n' "$port" >> "$LONGSHORE_FACTS"`,
    ),
    {
      phase: "activate",
      timeoutSeconds: 30,
      facts: { live_port: "port" },
      undo: lines(
        requestFunctions,
        unitFunction(work),
        sh`
          if [[ ! -e ${rememberedOf(work)} ]]; then exit 0; fi
          cd -- ${work.layout.directory}
          read -r former port old < ${rememberedOf(work)}`,
        pointTo(work),
        runOldAgain(work),
        sh`point_to "$former" "$old" "$port"`,
      ),
    },
  );

// It served before, so that it starts soon or not at all.
const longestRestartSeconds = 60;

// After the switch a boot starts only the new process: the old one has to respond again before it gets visitors.
const runOldAgain = (work: Work): Script => sh`
  if [[ $old != - ]]; then
    systemctl start "$(unit_on "$old")" || true
    end=$((SECONDS + ${Math.min(work.settings.healthTimeoutSeconds, longestRestartSeconds)}))
    while ((SECONDS < end)); do
      http_get "$old" ${servedName(work.project.site)} ${work.settings.healthPath}
      if [[ $status ]]; then break; fi
      sleep 0.05
    done
  fi`;

// Both are enabled for a moment: after a crash in between, the server starts at least one of them.
const pointTo = (work: Work): Script => {
  const { layout } = work;
  const [, second] = portsOf(work);
  const prefix = `${layout.unitWants}/${unitPrefix(layout)}`;
  return sh`
    point_to() { # RELEASE PORT OTHER-PORT
      if [[ $1 = - ]]; then
        rm -f -- current ${layout.secondPortFlag} ${prefix}"$3.service"
        return
      fi
      ln -sfn ${layout.unitTemplate} ${prefix}"$2.service"
      ln -sfn "$1" current.new
      mv -T current.new current
      if [[ $2 = ${second} ]]; then
        : > ${layout.secondPortFlag}.new
        mv -T ${layout.secondPortFlag}.new ${layout.secondPortFlag}
      else
        rm -f -- ${layout.secondPortFlag}
      fi
      [[ $3 = - ]] || rm -f -- ${prefix}"$3.service"
    }`;
};

/**
 * Lets the old process finish its requests before it is stopped. nginx makes no new connection to it: a request whose body is
 * still arriving is sent to the new one. So no request can reach it once it has no connections. At the timeout it gets SIGTERM
 * with its connections open, and the unit's stop timeout to end them.
 */
export const drainOld = (work: Work): Step =>
  step(
    "drain-old",
    "Let the old process finish",
    lines(
      unitFunction(work),
      drainFunctions,
      sh`
        if [[ ! -e ${rememberedOf(work)} ]]; then exit 0; fi
        read -r former port old < ${rememberedOf(work)}
        if [[ $old = - ]]; then echo "There was no process before."; exit; fi
        end=$((SECONDS + ${work.settings.drainTimeoutSeconds}))
        ${refuseRequests(work)}
        # A connection that nginx was just making.
        sleep 0.2
        while [[ -n $(ss -Htn state established "( sport = :$old )") ]]; do
          if ((SECONDS >= end)); then
            echo "The old process still has connections after "${work.settings.drainTimeoutSeconds}" s; it is stopped all the same."
            break
          fi
          sleep 0.1
        done
        systemctl stop "$(unit_on "$old")"
        accept_requests "$old"
        rm -f -- ${work.layout.slots}/"$old"
        echo "Stopped the old process on port $old."`,
    ),
    { phase: "finish", onFailure: "continue", timeoutSeconds: work.settings.drainTimeoutSeconds + 90 },
  );

// The site of a load balancer's node has no retry (host/nginx/site.ts).
const refuseRequests = ({ project, settings }: Work): Script =>
  project.site.balancer ? sh`:` : sh`refuse_requests "$old" ${settings.drainTimeoutSeconds + 60}`;

/** In-place projects have one process: it is stopped and started, with a gap in between. */
export const restartInPlace = (work: Work): Step =>
  step(
    "restart",
    "Restart the process",
    lines(
      watchFunctionsInPlace(work),
      sh`
        end=$((SECONDS + ${work.settings.healthTimeoutSeconds}))
        until http_get "$port" ${servedName(work.project.site)} ${work.settings.healthPath}; is_expected; do
          if ((SECONDS >= end)); then
            if [[ $status ]]; then give_up "The process answers $status on port $port to a request for "${asked(work)}; fi
            give_up "$(silence)"
          fi
          sleep 0.05
        done
        printf 'live_port %s\\n' "$port" >> "$LONGSHORE_FACTS"
        echo "The process answers $status on port $port."`,
    ),
    { phase: "start", timeoutSeconds: work.settings.healthTimeoutSeconds + 120, facts: { live_port: "port" } },
  );

const watchFunctionsInPlace = (work: Work): Script => {
  const [first, second] = portsOf(work);
  return lines(
    requestFunctions,
    stopFunction,
    unitFunction(work),
    pointTo(work),
    expectation(work),
    silentFunctions(work),
    sh`
      cd -- ${work.layout.directory}
      port=${first}
      if [[ -e ${work.layout.secondPortFlag} ]]; then port=${second}; fi
      unit=$(unit_on "$port")
      ln -sfn ../releases/${work.release} ${work.layout.slots}/"$port"
      systemctl restart "$unit"
      point_to releases/${work.release} "$port" -`,
  );
};

const portsOf = (work: Work): readonly [number, number] => {
  if (!work.ports) throw new Error("Only a Node project has ports");
  return work.ports;
};
