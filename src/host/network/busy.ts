import type { ProjectLayout } from "../layout.ts";
import { type Script, sh } from "../sh.ts";

/**
 * `busy` tests whether a project's application has requests in progress: whether nginx has a connection to one of its
 * processes, which it closes a second after the last response, or to its PHP workers. Sending files takes no time.
 */
export const busyFunction = ({ slots, phpSocket }: Pick<ProjectLayout, "slots" | "phpSocket">): Script => sh`
  busy() {
    local slot
    for slot in ${slots}/*; do
      if [[ -L $slot && -n $(ss -Htn state established "( sport = :\${slot##*/} )") ]]; then return 0; fi
    done
    [[ -n $(ss -Hxn state established src ${phpSocket}) ]]
  }`;

/**
 * Waits until `busy` is over, for at most the given number of seconds, and prints the result. The caller has made sure
 * that no new requests arrive.
 */
export const awaitAnswers = (seconds: number): Script => sh`
  end=$((SECONDS + ${seconds}))
  # A request that nginx took an instant before may not have reached the application yet.
  sleep 0.2
  while busy; do
    if ((SECONDS >= end)); then
      echo "Some requests are still under way; the deployment continues all the same."
      exit
    fi
    sleep 0.1
  done`;
