import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { AppError } from "../lib/errors.ts";
import { type ServiceLayout, serviceName } from "./layout.ts";
import { mustRun, run } from "./machine.ts";
import { madeBy } from "./unit.ts";

/** The state of the unit, in systemd's words. */
export interface UnitState {
  /** `loaded`, or `not-found`. */
  loaded: string;
  /** `active`, `activating`, `failed`, `inactive` … */
  active: string;
  /** `enabled`: it starts with the machine. */
  enabled: string;
  pid: number | null;
  /** When it last became active; null before. */
  since: string | null;
  /** How often it was started again after a failure, since it was last started by hand. */
  restarts: number;
  /** Bytes of memory that its processes use; null while it does not run. */
  memory: number | null;
  /** systemd's id of this start. */
  invocation: string;
}

const properties = [
  "LoadState",
  "ActiveState",
  "ActiveEnterTimestamp",
  "UnitFileState",
  "MainPID",
  "NRestarts",
  "MemoryCurrent",
  "InvocationID",
];

export async function readUnit(name = serviceName): Promise<UnitState> {
  // --timestamp=unix is unknown to the systemd of Ubuntu 22.04.
  const inUtc = ["env", "TZ=UTC", "LC_ALL=C"];
  return parseUnit((await run([...inUtc, "systemctl", "show", `--property=${properties.join(",")}`, name])).stdout);
}

/** The state in what `systemctl show` prints, with times as in `Fri 2026-11-27 20:33:00 UTC`. */
export function parseUnit(text: string): UnitState {
  const values = new Map(
    text.split("\n").map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  const value = (name: string): string => values.get(name) ?? "";
  const [, day, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/.exec(value("ActiveEnterTimestamp")) ?? [];
  return {
    loaded: value("LoadState") || "not-found",
    active: value("ActiveState") || "inactive",
    enabled: value("UnitFileState") || "disabled",
    pid: Number(value("MainPID")) || null,
    since: day === undefined ? null : `${day}T${time}.000Z`,
    restarts: Number(value("NRestarts")) || 0,
    // Where memory is not counted, systemd prints the largest number of 64 bits, or [not set].
    memory: /^\d{1,15}$/.test(value("MemoryCurrent")) ? Number(value("MemoryCurrent")) : null,
    invocation: value("InvocationID"),
  };
}

export const systemctl = (...args: string[]): Promise<string> => mustRun(["systemctl", ...args]);

/** Throws AppError("configuration") for a unit of this name that was made by hand: its settings would be lost. */
export async function requireOwnUnit({ unit, settings }: ServiceLayout): Promise<void> {
  const text = await readFile(unit, "utf8").catch(() => undefined);
  if (text === undefined || text.includes(madeBy)) return;
  throw new AppError(
    "configuration",
    `${unit} was made by hand. Stop the service, put its settings (Environment=) into ${settings}, remove the unit, then try again: the data stays where it is.`,
  );
}

/** Stops the units of these files, and removes them with what was added to them. Does nothing for those that are not there. */
export async function removeUnits(files: readonly string[]): Promise<void> {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  const names = there.map((file) => basename(file));
  await systemctl("disable", "--quiet", "--now", ...names);
  const paths = there.flatMap((file) => [file, `${file}.d`]);
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  await systemctl("daemon-reload");
  // systemd remembers those that have failed.
  for (const name of names) await run(["systemctl", "reset-failed", name]);
}

/** The last lines that the unit logged, oldest first. */
export async function lastLogLines(lines: number, name = serviceName): Promise<string[]> {
  const argv = ["journalctl", "--quiet", "--no-pager", "--output=cat", `--lines=${lines}`, `--unit=${name}`];
  return (await run(argv)).stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "");
}
