import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { commandLine } from "../lib/program.ts";
import { type Account, run } from "./run.ts";

// The machine that the service runs on.

/** Throws AppError("configuration") unless this is root on a machine that systemd runs. */
export function requireMachine(command: string): void {
  requireSystemd();
  if (process.getuid?.() === 0) return;
  throw new AppError("configuration", `Only root may do this: sudo ${commandLine(command)}`);
}

/** Throws AppError("configuration") on a machine without systemd. */
export function requireSystemd(): void {
  if (process.platform === "linux" && existsSync("/run/systemd/system")) return;
  throw new AppError(
    "configuration",
    `A service needs Linux with systemd, which does not run here. \`${commandLine("up")}\` runs Longshore in the foreground, under any supervisor.`,
  );
}

/** The ids of a user; undefined if there is none of that name. */
export async function findAccount(name: string): Promise<Account | undefined> {
  const { exitCode, stdout } = await run(["getent", "passwd", name]);
  const [, , uid, gid] = stdout.trim().split(":");
  return exitCode === 0 && uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The host name, as `uninstall --purge` asks for it. */
export const hostName = async (): Promise<string> => (await readFile("/proc/sys/kernel/hostname", "utf8")).trim();
