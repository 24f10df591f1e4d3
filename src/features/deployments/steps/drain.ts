import { type Step, step } from "../../../engine/plan.ts";
import { drainingFlag } from "../../../host/balance.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import type { Work } from "./work.ts";

// A server behind a load balancer takes nothing new while its release is replaced. nginx reads the flag for each request: from
// the moment it stands, whatever the balancer sends is handed back and goes to another server.

/** Hands the balancer's requests back, and waits until those are answered that were begun before. */
export const leaveBalancer = (work: Work): Step =>
  step(
    "leave-balancer",
    "Take the server out of its load balancer",
    lines(
      sh`
        : > ${drainingFlag(work.layout)}
        end=$((SECONDS + ${work.settings.nodeDrainSeconds}))
        # A request that nginx took an instant before may not have reached the application yet.
        sleep 0.2`,
      busy(work),
      sh`
        while busy; do
          if ((SECONDS >= end)); then
            echo "Some requests are still under way; it goes on all the same."
            exit
          fi
          sleep 0.1
        done
        echo "The load balancer's requests go to the other servers."`,
    ),
    { phase: "activate", timeoutSeconds: work.settings.nodeDrainSeconds + 60, undo: ready(work) },
  );

/** Takes the balancer's requests again. */
export const joinBalancer = (work: Work): Step =>
  step("join-balancer", "Put the server back behind its load balancer", ready(work), {
    phase: "finish",
    onFailure: "continue",
    timeoutSeconds: 60,
  });

const ready = ({ layout }: Work): Script => sh`rm -f -- ${drainingFlag(layout)}`;

// What nginx has asked the application and has no answer to. Files are sent in no time.
const busy = ({ ports, project, layout }: Work): Script => {
  if (ports) {
    const [first, second] = ports;
    return sh`busy() { [[ -n $(ss -Htn state established "( sport = :"${first}" or sport = :"${second}" )") ]]; }`;
  }
  if (project.framework.runtimeFamily === "php") {
    return sh`busy() { [[ -n $(ss -Hxn state established src ${layout.phpSocket}) ]]; }`;
  }
  return sh`busy() { false; }`;
};
