import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, settings } from "../config.ts";
import { pollUntil } from "../lib/clock.ts";
import { makeDirectory } from "../lib/directory.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import { type FileLock, lockFile, readNote } from "../lib/lock.ts";
import { commandLine } from "../lib/program.ts";
import { checkConnection } from "./connection-check.ts";
import type { EmbeddedPostgres } from "./embedded.ts";

/** `up` keeps the directory until it ends; `admin` uses it for a moment, or works beside an `up`. */
export type Purpose = "up" | "admin";

export interface Database {
  url: string;
  /** Resolves when the database ended unexpectedly and cannot be restarted. Never, when another process runs it. */
  lost: Promise<void>;
  /** Stops only what this process started. */
  close(): Promise<void>;
}

export interface Observers {
  /** Called when the embedded PostgreSQL ended unexpectedly and is restarted. */
  onRestart?: () => void;
  /** Called when the process of the embedded PostgreSQL has begun, some time before it accepts connections. */
  onSpawn?: () => void;
  /** Called with a sentence when a start takes long. */
  onWait?: (sentence: string) => void;
}

/** The lock holder's note for other processes; the URL while it serves, removed when it stops. */
interface Holder {
  pid: number;
  purpose: Purpose;
  url?: string;
}

const patienceMs = 30_000;
const never = new Promise<void>(() => {});

/** Pause between two starts of a PostgreSQL that keeps ending. */
const restartEveryMs = 1_000;

/**
 * The database of the configuration: that of DATABASE_URL, or the embedded one, started unless an `up` already runs it. When it
 * ends unexpectedly (killed, out of memory), it is restarted at the same URL. Throws
 * AppError("data_directory_in_use") when `up` finds another one on the same data directory, and AppError("configuration") when
 * the database of DATABASE_URL cannot be reached, or `admin` finds no installation in the data directory.
 */
export async function openDatabase(config: Config, purpose: Purpose, observers: Observers = {}): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    await checkConnection(config.databaseUrl);
    return { url: config.databaseUrl, lost: never, close: async () => {} };
  }
  if (purpose === "admin") await findInstallation(config.dataDirectory);
  await prepareDirectory(config.dataDirectory);
  const claim = await claimDirectory(config.dataDirectory, purpose);
  if ("url" in claim) return { url: claim.url, lost: never, close: async () => {} };
  return startOwn(config.dataDirectory, purpose, claim.lock, observers);
}

/** Makes it unless it exists. Throws AppError("configuration") when it cannot be made or written. */
export async function prepareDirectory(path: string): Promise<void> {
  try {
    await makeDirectory(path);
    await access(path, constants.W_OK);
  } catch (cause) {
    const message = `The data directory ${path} cannot be written (${messageOf(cause)}). Choose another with ${settings.dataDirectory.flag}, or make it yours.`;
    throw new AppError("configuration", message, { cause });
  }
}

// A directory created by mistake is a second, empty installation, which rejects the tokens of the first.
async function findInstallation(path: string): Promise<void> {
  const { flag, env } = settings.dataDirectory;
  try {
    // The lock alone: an `up` has just begun to create the directory. The database alone: a restored backup.
    await Promise.any(["lock", "postgres"].map((name) => access(join(path, name))));
  } catch (cause) {
    const message = `There is no installation in ${resolve(path)}. Name its data directory with ${flag} or ${env}; \`${commandLine("up")}\` makes a new one.`;
    throw new AppError("configuration", message, { cause });
  }
}

async function startOwn(
  dataDirectory: string,
  purpose: Purpose,
  lock: FileLock,
  { onRestart = () => {}, onSpawn = () => {}, onWait = () => {} }: Observers,
): Promise<Database> {
  const note = (holder: Omit<Holder, "pid" | "purpose">): void =>
    lock.note(JSON.stringify({ pid: process.pid, purpose, ...holder } satisfies Holder));
  note({});
  try {
    // Loaded here because DATABASE_URL does not need it.
    const { startEmbeddedPostgres } = await import("./embedded.ts");
    const start = () => startEmbeddedPostgres(join(dataDirectory, "postgres"), { onSpawn, onWait });
    const postgres = await keepRunning(start, onRestart);
    note({ url: postgres.url });
    const close = async (): Promise<void> => {
      note({});
      await postgres.stop();
      lock.release();
    };
    return { url: postgres.url, lost: postgres.lost, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Restarts PostgreSQL whenever it ends unexpectedly; it is lost only when it cannot be started. */
async function keepRunning(
  start: () => Promise<EmbeddedPostgres>,
  onRestart: () => void,
): Promise<Pick<EmbeddedPostgres, "url" | "stop"> & { lost: Promise<void> }> {
  let starting = start();
  let stopping = false;
  const { url } = await starting;
  const watch = async (): Promise<void> => {
    for (;;) {
      const next = pause(restartEveryMs, undefined, { ref: false });
      await (await starting).ended;
      await next;
      if (stopping) return never;
      onRestart();
      starting = start();
    }
  };
  const lost = watch().catch(() => undefined);
  const stop = async (): Promise<void> => {
    stopping = true;
    const running = await starting.catch(() => undefined);
    await running?.stop();
  };
  return { url, stop, lost };
}

/** The lock, or the URL of the `up` that has it. Waits for holders that will soon be done or ready. */
async function claimDirectory(dataDirectory: string, purpose: Purpose): Promise<{ lock: FileLock } | { url: string }> {
  const path = join(dataDirectory, "lock");
  const tryOnce = async () => {
    const lock = await lockFile(path);
    if (lock) return { lock };
    const holder = await readHolder(path);
    if (purpose === "up" && holder?.purpose === "up") throw inUse(dataDirectory, holder);
    return holder?.purpose === "up" && holder.url !== undefined ? { url: holder.url } : undefined;
  };
  const claim = await pollUntil(tryOnce, { timeoutMs: patienceMs, everyMs: 50 });
  if (claim) return claim;
  throw inUse(dataDirectory, await readHolder(path));
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readNote(path)) as Holder;
  } catch {
    // It has the lock and has not written its note yet.
    return undefined;
  }
}

function inUse(dataDirectory: string, holder: Holder | undefined): AppError {
  const who = holder ? `process ${holder.pid} (longshore ${holder.purpose})` : "another process";
  return new AppError(
    "data_directory_in_use",
    `The data directory ${dataDirectory} is in use by ${who}. Stop it, choose another directory with ${settings.dataDirectory.flag}, or run several processes on one database with ${settings.databaseUrl.env}.`,
  );
}
