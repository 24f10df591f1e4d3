import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { AppError } from "./errors.ts";

export interface FileLock {
  /** Replaces the text about its holder in the file. */
  note(text: string): void;
  release(): void;
}

/**
 * Acquires the lock of a file, which is created when missing; undefined when another process has it. The kernel releases
 * it when this process ends in any way, so a lock is never stale.
 *
 * Node has no flock(2). The command acquires it on an inherited descriptor; such a lock belongs to the open file, which
 * this process shares with it and keeps open. Other children do not inherit the descriptor.
 */
export async function lockFile(path: string): Promise<FileLock | undefined> {
  const descriptor = openSync(path, "a+", 0o600);
  try {
    if (await flock(descriptor)) return lockOf(descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** The holder's note; empty before the first note or without the file. */
export async function readNote(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

function lockOf(descriptor: number): FileLock {
  let isHeld = true;
  const note = (text: string): void => {
    ftruncateSync(descriptor);
    writeSync(descriptor, text);
  };
  const release = (): void => {
    // Only once: the number may be another file by now.
    if (isHeld) closeSync(descriptor);
    isHeld = false;
  };
  note("");
  return { note, release };
}

async function flock(descriptor: number): Promise<boolean> {
  const command = spawn("flock", ["--exclusive", "--nonblock", "3"], {
    stdio: ["ignore", "ignore", "ignore", descriptor],
  });
  let code: number | null;
  try {
    [code] = (await once(command, "close")) as [number | null];
  } catch (cause) {
    throw new AppError("configuration", "The command flock is missing: install the package util-linux.", { cause });
  }
  if (code !== 0 && code !== 1) {
    throw new AppError("configuration", "A file lock could not be taken: the file system does not support locks.");
  }
  return code === 0;
}
