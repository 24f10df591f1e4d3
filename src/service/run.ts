import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { AppError } from "../lib/errors.ts";

// Programs of the machine.

/** Whose rights a program has. */
export interface Account {
  uid: number;
  gid: number;
}

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Default: this process's user. It has no other groups than its own. */
  account?: Account | undefined;
  /** The whole environment of the program; this process's own when omitted. */
  env?: Record<string, string> | undefined;
  /** Its standard input; none when omitted. */
  input?: string | undefined;
  /** It is killed after this time. Default: it takes as long as it takes. */
  timeoutMs?: number | undefined;
  /** It must not end half-way: it continues when this process ends. */
  mayOutlive?: true;
}

/** More output than this is not kept. */
const maxOutputBytes = 16 * 1024 ** 2;
const shownLines = 5;

/** Ends with this process: what a killed command left running would work against the one that continues it. */
const untilParentEnds = ["setpriv", "--pdeathsig", "KILL", "--"];

/**
 * Runs a program to its end, with any exit code. 127: there is no such program. It is in a session of its own: Ctrl-C in the terminal
 * does not reach it, and it does not reach the terminal.
 */
export function run(
  argv: readonly string[],
  { account, env, input, timeoutMs, mayOutlive }: RunOptions = {},
): Promise<Ran> {
  const [program = "", ...args] = mayOutlive ? argv : [...untilParentEnds, ...argv];
  const child = spawn(program, args, {
    ...account,
    ...(env && { env }),
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    ...(timeoutMs && { timeout: timeoutMs, killSignal: "SIGKILL" }),
  });
  // It need not read everything.
  child.stdin.on("error", () => undefined).end(input);
  const exit = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("close", (code) => resolve(code ?? 1));
  });
  return Promise.all([exit, textOf(child.stdout), textOf(child.stderr)]).then(([exitCode, stdout, stderr]) => ({
    exitCode,
    stdout,
    stderr,
  }));
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < maxOutputBytes) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString();
}

/** Runs a program and returns what it printed; throws AppError("unavailable") with its last lines if it fails. */
export async function mustRun(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv, options);
  if (exitCode === 0) return stdout.trim();
  const reason = lastLines(stderr) || lastLines(stdout) || `exit code ${exitCode}`;
  throw new AppError("unavailable", `${argv.slice(0, 3).join(" ")} failed: ${reason}`);
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-shownLines).join("\n");

/** Runs a program in this terminal until it ends; returns its exit code. A signal to this process reaches it too. */
export function runInTerminal([program = "", ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    // Ctrl-C goes to both: the program ends as it sees fit, and this process after it.
    process.on("SIGINT", () => {});
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
