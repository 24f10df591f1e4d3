import { serverPaths } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import type { Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/** Bytes, at one moment. */
export interface Room {
  total_bytes: number;
  available_bytes: number;
}

/** How busy a server is; null: it did not say it in a form that can be true. */
export interface Usage {
  load: { one_minute: number; five_minutes: number; fifteen_minutes: number; cores: number } | null;
  memory: Room | null;
  /** Of the file system with the projects. */
  disk: Room | null;
}

/** Prints what `readUsage` reads, in some milliseconds. */
export const printUsage: Script = script("print-usage.sh", { directory: serverPaths.projects });

/** Its output is shorter on any server. */
export const longestUsage = 1_000;

const average = String.raw`(\d{1,6}\.\d{1,3})`;
const loadLine = new RegExp(`^load ${average} ${average} ${average} ([1-9]\\d{0,4})$`, "m");
const memoryLine = /^memory (\d{1,12}) (\d{1,12})$/m;
const diskLine = /^disk (\d{1,15}) (\d{1,15})$/m;

/** Reads what a server printed, whatever that is; undefined if there is nothing of it. */
export function readUsage(text: string): Usage | undefined {
  const usage = { load: loadIn(text), memory: roomIn(text, memoryLine, 1024), disk: roomIn(text, diskLine, 1) };
  return usage.load || usage.memory || usage.disk ? usage : undefined;
}

function loadIn(text: string): Usage["load"] {
  const [, one, five, fifteen, cores] = loadLine.exec(text) ?? [];
  if (cores === undefined) return null;
  return {
    one_minute: Number(one),
    five_minutes: Number(five),
    fifteen_minutes: Number(fifteen),
    cores: Number(cores),
  };
}

function roomIn(text: string, line: RegExp, unit: number): Room | null {
  const [, total, available] = line.exec(text) ?? [];
  const room = { total_bytes: Number(total) * unit, available_bytes: Number(available) * unit };
  return room.total_bytes > 0 && room.available_bytes <= room.total_bytes ? room : null;
}
