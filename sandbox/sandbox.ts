import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ensureBase, requireSandbox } from "./base.ts";
import { type CommandResult, mustRun, runCommand } from "./command.ts";
import { boot, consoleTail, killAll, type Priority, removeCgroups, shutDown, waitForSsh } from "./container.ts";
import { authorize, mountDisk, personalize, unmountDisk } from "./disk.ts";
import { defaultDistribution } from "./distributions.ts";
import { messageOf, SandboxError } from "./errors.ts";
import { withLock } from "./lock.ts";
import { allocateAddress, cutAddress, healAddress, isAddressCut, releaseAddress, removeNetwork } from "./network.ts";
import { assertName, imageDirectory, keyFile, lockFile, serverPaths } from "./paths.ts";
import { findProcesses } from "./processes.ts";
import { type Progress, silent } from "./progress.ts";
import { findRecord, listRecords, readJson, type ServerRecord, serverNames, writeJson } from "./records.ts";
import { until } from "./until.ts";

/** A booted server: root logs in over SSH with the key. */
export interface SandboxServer {
  name: string;
  address: string;
  sshPort: 22;
  privateKeyPath: string;
}

export interface UpOptions {
  name: string;
  /** Public keys, one line each, that may log in as root besides the sandbox's own. */
  authorizedKeys?: readonly string[];
  /** A code name of distributions.ts; default: bookworm. */
  distribution?: string;
  /** A saved image to start from, instead of a fresh system. */
  image?: string;
  priority?: Priority;
  onProgress?: Progress;
}

export interface ServerStatus extends SandboxServer {
  distribution: string;
  image?: string;
  /** "stopped": it was shut down or its container died; "cut": it runs, and no packet reaches it. */
  status: "running" | "cut" | "stopped";
}

interface Image {
  distribution: string;
  /** Top first. */
  layers: string[];
}

/**
 * Boots a server and returns when SSH answers. A running server is returned unchanged, with the keys added; leftovers
 * of a dead one are removed first. Any number of processes may call this at once. When it fails, nothing is left
 * behind.
 */
export async function upServer(options: UpOptions): Promise<SandboxServer> {
  const { name, authorizedKeys = [] } = options;
  assertName("server", name);
  await requireSandbox();
  return withLock(lockFile(`server-${name}`), async () => {
    const running = await findRunning(name);
    if (running) return letIn(running, authorizedKeys);
    await tearDown(name);
    try {
      return await create(options);
    } catch (error) {
      const said = await consoleTail(name);
      await tearDown(name);
      throw new SandboxError(`The server ${name} did not come up: ${messageOf(error)}${said}`, { cause: error });
    }
  });
}

/** Removes a server and everything that is left of it, also after a crash. Does nothing when it does not exist. */
export async function downServer(name: string): Promise<void> {
  assertName("server", name);
  await requireSandbox();
  await withLock(lockFile(`server-${name}`), () => tearDown(name));
}

/** Removes all servers, the bridge and its rules; images stay. Returns the names of the removed servers. */
export async function downAll(): Promise<string[]> {
  await requireSandbox();
  const names = await serverNames();
  await Promise.all(names.map(downServer));
  await removeNetwork();
  return names;
}

/** All servers with their status, by name. */
export async function listServers(): Promise<ServerStatus[]> {
  const records = (await listRecords()).sort((a, b) => a.name.localeCompare(b.name));
  return Promise.all(
    records.map(async (record) => ({
      ...publicView(record),
      distribution: record.distribution,
      ...(record.image === undefined ? {} : { image: record.image }),
      status: await statusOf(record),
    })),
  );
}

/**
 * Runs a command as root inside a running server, without using its network. The words are passed unchanged, without a
 * shell. Resolves with any exit code.
 */
export async function execOn(
  name: string,
  argv: readonly string[],
  options: { input?: string } = {},
): Promise<CommandResult> {
  return runCommand([...(await enterCommand(name)), ...argv], options);
}

/** The prefix that makes a command run as root inside the server. */
export async function enterCommand(name: string): Promise<string[]> {
  const leader = await getLeader(name);
  const environment = ["HOME=/root", "USER=root", "LANG=C.UTF-8", `TERM=${process.env.TERM ?? "dumb"}`];
  const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const enter = ["nsenter", "--all", "--target", String(leader), "--root", "--wd=/"];
  return [...enter, "--", "env", "-i", "-C", "/root", path, ...environment];
}

/** Drops all packets from and to the server, as if its cable was pulled; open connections hang. */
export async function cutNetwork(name: string): Promise<void> {
  await cutAddress(await getRunning(name));
}

/** Plugs the cable in again. */
export async function healNetwork(name: string): Promise<void> {
  await healAddress(await getRecord(name));
}

/** Reboots the server from inside and returns when SSH answers again (at once when its network is cut). */
export async function rebootServer(name: string): Promise<void> {
  const record = await getRunning(name);
  const before = await getLeader(name);
  await execOn(name, ["systemctl", "reboot"]);
  await until(
    `${name} had shut down and started again`,
    async () => {
      const { leader } = findProcesses(serverPaths(name));
      return leader !== undefined && leader !== before;
    },
    { timeoutMs: 120_000 },
  );
  if (!(await isAddressCut(record))) await waitForSsh(record);
}

/** Whether a saved image of this name exists. */
export const hasImage = async (image: string): Promise<boolean> => (await findImage(image)) !== undefined;

/**
 * Shuts the server down and saves its disk as an image for other servers. The server is removed. If the image already
 * exists, it is kept, and the server's disk is dropped: put a hash of the image's inputs into its name.
 */
export async function saveImage(name: string, image: string): Promise<void> {
  assertName("image", image);
  await withLock(lockFile(`server-${name}`), async () => {
    const record = await getRunning(name);
    await shutDown(name);
    await mustRun(["umount", serverPaths(name).root]);
    await withLock(lockFile(`save-${image}`), () => keepAsImage(record, image));
    await tearDown(name);
  });
}

/**
 * The image, created on first use: boots a server, lets `prepare` change it, and saves it. When several processes call
 * this at once, one creates it and the others wait.
 */
export async function ensureImage(
  image: string,
  prepare: (server: SandboxServer) => Promise<void>,
  options: Omit<UpOptions, "name"> = {},
): Promise<void> {
  assertName("image", image);
  await withLock(lockFile(`image-${image}`), async () => {
    if (await hasImage(image)) return;
    const name = `image-${randomBytes(4).toString("hex")}`;
    try {
      await prepare(await upServer({ ...options, name }));
      await saveImage(name, image);
    } finally {
      await downServer(name);
    }
  });
}

/** Removes a saved image. Servers that were started from it must be gone. */
export async function removeImage(image: string): Promise<void> {
  assertName("image", image);
  await rm(imageDirectory(`saved-${image}`), { recursive: true, force: true });
}

async function letIn(running: ServerRecord, authorizedKeys: readonly string[]): Promise<SandboxServer> {
  await authorize(running, authorizedKeys);
  return publicView(running);
}

async function create(options: UpOptions): Promise<SandboxServer> {
  const { name, image, onProgress = silent } = options;
  const source = image === undefined ? await freshSystem(options) : await getImage(image);
  onProgress(`Booting ${name} …`);
  const record = await allocateAddress({ name, ...source, ...(image === undefined ? {} : { image }) });
  await mountDisk(record);
  await personalize(record, options.authorizedKeys ?? []);
  await boot(record, options.priority);
  await waitForSsh(record);
  return publicView(record);
}

async function freshSystem({ distribution = defaultDistribution, onProgress }: UpOptions): Promise<Image> {
  return { distribution, layers: [await ensureBase(distribution, onProgress)] };
}

async function getImage(image: string): Promise<Image> {
  const found = await findImage(image);
  if (found) return found;
  throw new SandboxError(`There is no image ${image}.`);
}

const findImage = (image: string): Promise<Image | undefined> =>
  readJson<Image>(join(imageDirectory(`saved-${image}`), "image.json"));

async function keepAsImage({ name, distribution, layers }: ServerRecord, image: string): Promise<void> {
  if (await hasImage(image)) return;
  const directory = imageDirectory(`saved-${image}`);
  await mkdir(directory, { recursive: true });
  const disk = join(directory, "disk");
  await rm(disk, { recursive: true, force: true });
  await rename(serverPaths(name).upper, disk);
  await writeJson(join(directory, "image.json"), { distribution, layers: [disk, ...layers] });
}

async function tearDown(name: string): Promise<void> {
  const paths = serverPaths(name);
  const record = await findRecord(name);
  await killAll(name);
  await unmountDisk(paths.root);
  if (record) {
    await releaseAddress(record);
    await removeCgroups(record);
  }
  await rm(paths.directory, { recursive: true, force: true });
}

async function findRunning(name: string): Promise<ServerRecord | undefined> {
  const record = await findRecord(name);
  if (!record) return undefined;
  return (await statusOf(record)) === "stopped" ? undefined : record;
}

async function statusOf(record: ServerRecord): Promise<ServerStatus["status"]> {
  const { containers, leader } = findProcesses(serverPaths(record.name));
  if (containers.length === 0 || leader === undefined) return "stopped";
  return (await isAddressCut(record)) ? "cut" : "running";
}

async function getRecord(name: string): Promise<ServerRecord> {
  assertName("server", name);
  await requireSandbox();
  const record = await findRecord(name);
  if (record) return record;
  throw new SandboxError(`There is no server ${name}: ./longshore sandbox up ${name} boots one.`);
}

async function getRunning(name: string): Promise<ServerRecord> {
  const record = await getRecord(name);
  if ((await statusOf(record)) !== "stopped") return record;
  throw new SandboxError(`The server ${name} does not run: ./longshore sandbox up ${name} makes a new one.`);
}

async function getLeader(name: string): Promise<number> {
  await getRecord(name);
  const { leader } = findProcesses(serverPaths(name));
  if (leader !== undefined) return leader;
  throw new SandboxError(`The server ${name} does not run: ./longshore sandbox up ${name} makes a new one.`);
}

const publicView = ({ name, address }: ServerRecord): SandboxServer => ({
  name,
  address,
  sshPort: 22,
  privateKeyPath: keyFile(),
});
