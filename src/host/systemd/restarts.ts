import { scriptsBeside } from "../script-file.ts";
import type { Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

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
export const printRestarts: Script = script("print-restarts.sh");

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
