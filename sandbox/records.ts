import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { serverPaths, serversDirectory } from "./paths.ts";

/** The stored data of a server between commands. */
export interface ServerRecord {
  name: string;
  address: string;
  bridge: string;
  /** The name of the container; its network device and cgroup are named after it. */
  machine: string;
  distribution: string;
  image?: string;
  /** File system layers below the server's own, top first. */
  layers: string[];
}

/** The record, or undefined when the server does not exist (or a crash left an unreadable record). */
export const findRecord = (name: string): Promise<ServerRecord | undefined> =>
  readJson<ServerRecord>(serverPaths(name).record);

export const writeRecord = (record: ServerRecord): Promise<void> => writeJson(serverPaths(record.name).record, record);

/** The names of all servers that have left any files. */
export async function serverNames(): Promise<string[]> {
  const entries = await readdir(serversDirectory(), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

export async function listRecords(): Promise<ServerRecord[]> {
  const records = await Promise.all((await serverNames()).map(findRecord));
  return records.filter((record) => record !== undefined);
}

/** The file's content, or undefined when it is missing or was cut short. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step, so that a reader never sees half of it. */
export async function writeJson(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`);
  await rename(temporary, file);
}
