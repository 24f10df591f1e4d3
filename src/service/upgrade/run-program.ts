import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { AppError, messageOf } from "../../lib/errors.ts";

interface RunOptions {
  /** Default: this process's user. */
  owner?: { uid: number; gid: number } | undefined;
  timeoutMs?: number;
}

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const usualTimeoutMs = 60_000;

/** Ends with this process: what a killed upgrade left running would work against the one that continues it. */
const untilParentEnds = ["--pdeathsig", "KILL", "--"];

/**
 * Runs a program to its end, without standard input. It is in a session of its own, so that Ctrl-C in the terminal does not end it,
 * and ends with this process. Throws AppError("configuration") if it cannot be started.
 */
export async function runProgram(
  argv: readonly string[],
  { owner, timeoutMs = usualTimeoutMs }: RunOptions = {},
): Promise<Ended> {
  const child = spawn("setpriv", [...untilParentEnds, ...argv], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", (cause) => reject(missing("setpriv", cause)));
    child.once("close", resolve);
  });
  const [exitCode, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { exitCode, stdout, stderr };
}

/** The program's output. Throws AppError("unavailable") with its last lines if it fails. */
export async function mustRun(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(argv, options);
  if (exitCode === 0) return stdout;
  const reason = lastLines(stderr || stdout, 5).join("\n") || `exit status ${exitCode}`;
  throw new AppError("unavailable", `${argv[0]} failed: ${reason}`);
}

const missing = (program: string, cause: Error): AppError =>
  new AppError("configuration", `The command ${program} could not be run: ${messageOf(cause)}.`, { cause });

const lastLines = (output: string, count: number): string[] => output.trimEnd().split("\n").slice(-count);
