import { chmod, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, messageOf } from "../../lib/errors.ts";
import { replaceFile } from "../replace-file.ts";
import { isPhase, type Phase } from "./phases.ts";
import { isVersion } from "./version-order.ts";

/**
 * An upgrade under way, as it is on disk: written before each phase begins, so that any other process can continue it or take it
 * back. It belongs to root, in a directory of root, since root acts on it.
 */
export interface Journal {
  from: string;
  to: string;
  phase: Phase;
  /** Whether a copy of the data directory is made, which can come back. */
  backup: boolean;
  /** How long a version may take to become healthy. */
  waitSeconds: number;
  /** When the new version was first started (ISO 8601): from then on the data may be changed. */
  startedAt?: string;
  /** Why it is taken back, or else not healthy. */
  reason?: string;
  /** The last lines of the new version's log. */
  log?: string[];
}

/** How an upgrade ended, for the next command that is asked. */
export interface Ending extends Pick<Journal, "from" | "to" | "reason" | "log"> {
  outcome: "upgraded" | "taken_back";
  /** ISO 8601 */
  endedAt: string;
  /** The version that is installed now is not healthy either. */
  down?: boolean;
}

/** The journal; undefined if no upgrade is under way. Throws AppError("configuration") if it cannot be read. */
export async function readJournal(path: string): Promise<Journal | undefined> {
  const journal = (await readJson(path)) as Journal | undefined;
  if (journal === undefined || isJournal(journal)) return journal;
  throw new AppError("configuration", `${path} is no record of an upgrade that this version can continue.`);
}

/** How the last upgrade ended; undefined if there was none, or that is unknown. */
export const readEnding = (path: string): Promise<Ending | undefined> =>
  readJson(path).then(
    (ending) => ending as Ending | undefined,
    () => undefined,
  );

const isJournal = ({ from, to, phase, backup, waitSeconds }: Journal): boolean =>
  [from, to].every((version) => typeof version === "string" && isVersion(version)) &&
  isPhase(phase) &&
  typeof backup === "boolean" &&
  typeof waitSeconds === "number";

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new AppError("configuration", `${path} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

/** Replaces the file at once; when this resolves it survives a power cut. */
export async function writeRecord(path: string, record: Journal | Ending): Promise<void> {
  await replaceFile(path, `${JSON.stringify(record, undefined, 2)}\n`, 0o600);
  await syncDirectory(dirname(path));
}

export async function removeRecord(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Makes what was renamed, made or removed in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The directory of all records. Others may pass through it: the backup in it belongs to the service's user. */
export async function makeRecordDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o711 });
  await chmod(path, 0o711);
}
