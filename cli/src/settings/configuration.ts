import { chmod, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { usage } from "../failure.ts";

// Where the person is signed in: a file of theirs alone.

export interface StoredToken {
  token: string;
  /** As it was called when it was stored. */
  organization_name: string;
}

export interface Installation {
  /** Such as `https://panel.example.com`, without a slash at the end. */
  url: string;
  /** The organization that commands work in; its token is in `tokens`. */
  organization: number;
  /** By the id of the organization that they are used for. */
  tokens: Record<string, StoredToken>;
}

export interface Configuration {
  /** The name of the installation that commands use. */
  current: string | null;
  /** By name: the host of the address. */
  installations: Record<string, Installation>;
}

const nothing: Configuration = { current: null, installations: {} };

const configurationFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "longshore");

export const configurationFile = (env: NodeJS.ProcessEnv = process.env): string =>
  join(configurationFolder(env), "config.json");

/** An installation is called by its host. */
export const installationName = (url: string): string => new URL(url).host;

/** Empty if there is none. A file that others can read is closed to them. */
export async function readConfiguration(file = configurationFile()): Promise<Configuration> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return structuredClone(nothing);
    throw usage(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  try {
    const read: unknown = JSON.parse(text);
    if (isConfiguration(read)) return read;
  } catch {
    // The sentence below says what to do.
  }
  throw usage(`${file} is damaged. Correct it, or remove it and sign in again: longshore login`);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isConfiguration = (value: unknown): value is Configuration =>
  isObject(value) &&
  isObject(value.installations) &&
  Object.values(value.installations).every(
    (each) => isObject(each) && isObject(each.tokens) && typeof each.url === "string",
  );

/** Replaces the file at once: a program that reads it meanwhile has the old or the new one. */
export async function writeConfiguration(configuration: Configuration, file = configurationFile()): Promise<void> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  const handle = await open(beside, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(configuration, null, 2)}\n`);
    await handle.sync();
    await rename(beside, file);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
