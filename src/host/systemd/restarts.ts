import { type Script, sh } from "../sh.ts";

/** A unit of a project that systemd has restarted at least once since its last intended start. */
export interface RestartedUnit {
  projectId: number;
  /** null: the process of the project itself. */
  jobId: number | null;
  /** Port of a Node process, number of a job's process. */
  instance: string;
  restarts: number;
  isActive: boolean;
}

/**
 * Prints a line for each unit of any project that was restarted, and nothing on a server without restarts. It ends before the
 * caller's timeout, and does not fail: without an answer from systemd its output is incomplete.
 */
export const printRestarts: Script = sh`
  units=$(timeout 5 systemctl show --property=Id,NRestarts,ActiveState 'longshore-project-*@*.service' 2> /dev/null) || exit 0
  printf '%s\\n' "$units" |
    awk -F= '
      function print_unit() { if (restarts > 0) print id, restarts, state; restarts = 0 }
      $1 == "Id" { id = $2 }
      $1 == "NRestarts" { restarts = $2 }
      $1 == "ActiveState" { state = $2 }
      $0 == "" { print_unit() }
      END { print_unit() }' |
    head -c 200000
  echo end`;

const line =
  /^longshore-project-([1-9]\d{0,14})(?:-job-([1-9]\d{0,14}))?@([0-9]{1,10})\.service ([1-9]\d{0,9}) ([a-z-]{1,30})$/;

/** Reads the output of `printRestarts`; undefined when it is incomplete. Lines of another form are skipped. */
export function readRestarts(text: string): RestartedUnit[] | undefined {
  const lines = text.trimEnd().split("\n");
  if (lines.pop() !== "end") return undefined;
  return lines.flatMap((each) => {
    const [, project, job, instance = "", restarts, state] = line.exec(each) ?? [];
    if (project === undefined) return [];
    const jobId = job === undefined ? null : Number(job);
    const isActive = state === "active";
    return [{ projectId: Number(project), jobId, instance, restarts: Number(restarts), isActive }];
  });
}
