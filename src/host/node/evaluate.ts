import type { ProjectLayout } from "../layout.ts";
import { type Script, sh } from "../sh.ts";
import { nodeDirectory } from "./node-runtime.ts";

/**
 * The words that run a program with the server's own Node, to evaluate what a project wrote: as the fetching user, without its
 * environment, for thirty seconds at most. Arguments follow. Standard output has to be a pipe: what holds the journal of a run can
 * truncate it.
 */
export const evaluate = ({ gitUser, user }: ProjectLayout, program: string): Script =>
  sh`2> /dev/null setpriv ${[`--reuid=${gitUser}`, `--regid=${user}`]} --clear-groups --no-new-privs -- \\
    env -i timeout 30 ${serversNode} --input-type=module-typescript --disable-warning=ExperimentalWarning -e ${program} --`;

export const serversNode = `${nodeDirectory}/current/bin/node`;
