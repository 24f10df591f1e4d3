import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { AppError } from "./errors.ts";

export interface FileLock {
  /** Replaces the file's text about its holder. */
  note(text: string): void;
  release(): void;
}

/**
 * Takes the lock of a file, which is made when missing; undefined when another process has it. The kernel gives it back
 * when this process ends, however it ends, so a lock is never stale.
 *
 * Node has no flock(2). The command takes it on a descriptor it inherits; such a lock belongs to the open file, which this
 * process shares with it and keeps open. Other children do not inherit the descriptor.
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

/** The holder's note; empty when it noted nothing yet or the file does not exist. */
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
    // Once only: the number may be another file by now.
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
