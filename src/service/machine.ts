import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";

// The machine that the service runs on, through its programs.

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** The whole environment of the program; this process' own when omitted. */
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
}

const maxOutputBytes = 16 * 1024 ** 2;

/** Runs a program to its end, with any exit code. 127: there is no such program. */
export function run([program = "", ...args]: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const settings = { ...options, cwd: "/", maxBuffer: maxOutputBytes, encoding: "utf8" as const };
    execFile(program, args, settings, (error, stdout, stderr) => {
      const code = error?.code;
      const exitCode = error === null ? 0 : typeof code === "number" ? code : code === "ENOENT" ? 127 : 1;
      resolve({ exitCode, stdout, stderr });
    });
  });
}

/** Runs a program and returns what it printed; throws AppError("unavailable") with its last line if it fails. */
export async function mustRun(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv, options);
  if (exitCode === 0) return stdout.trim();
  const reason = lastLine(stderr) ?? lastLine(stdout) ?? `exit code ${exitCode}`;
  throw new AppError("unavailable", `${argv.slice(0, 3).join(" ")} failed: ${reason}`);
}

const lastLine = (text: string): string | undefined => text.trim().split("\n").at(-1) || undefined;

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

/** Throws AppError("configuration") unless this is root on a machine that systemd runs. */
export function requireMachine(command: string): void {
  requireSystemd();
  if (process.getuid?.() === 0) return;
  throw new AppError("configuration", `Only root may do this: sudo longshore ${command}`);
}

/** Throws AppError("configuration") on a machine without systemd. */
export function requireSystemd(): void {
  if (process.platform === "linux" && existsSync("/run/systemd/system")) return;
  throw new AppError(
    "configuration",
    "A service needs Linux with systemd, which does not run here. `longshore up` runs Longshore in the foreground, under any supervisor.",
  );
}

export interface Account {
  uid: number;
  gid: number;
}

/** The ids of a user; undefined if there is none of that name. */
export async function findAccount(name: string): Promise<Account | undefined> {
  const { exitCode, stdout } = await run(["getent", "passwd", name]);
  const [, , uid, gid] = stdout.trim().split(":");
  return exitCode === 0 && uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The host name, as `uninstall --purge` asks for it. */
export const hostName = async (): Promise<string> => (await readFile("/proc/sys/kernel/hostname", "utf8")).trim();
