import type { ProjectLayout } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

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
export const awaitAnswers = (seconds: number): Script => script("await-answers.sh", { seconds });
