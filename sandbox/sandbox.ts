import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { copyMachineSettings, ensureBase, requireSandbox } from "./base.ts";
import { type CommandResult, mustRun, runCommand } from "./command.ts";
import { defaultDistribution, getDistribution } from "./distributions.ts";
import { messageOf, SandboxError } from "./errors.ts";
import { withLock } from "./lock.ts";
import { allocateAddress, cutAddress, healAddress, isAddressCut, releaseAddress, removeNetwork } from "./network.ts";
import { assertName, imageDirectory, lockFile, serverPaths, stateDirectory } from "./paths.ts";
import { findProcesses, signalAll } from "./processes.ts";
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
  /** A code name of distributions.ts; bookworm unless told. */
  distribution?: string;
  /** A saved image to start from, instead of a fresh system. */
  image?: string;
  /** `idle`: its processes run when nothing else on this machine wants the processors. */
  priority?: Priority;
  onProgress?: Progress;
}

export type Priority = "normal" | "idle";

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
 * Boots a server and returns when SSH answers. One that runs already is returned as it is, with the keys added;
 * leftovers of a dead one are removed first. Any number of processes may call this at once. When it fails, nothing
 * is left behind.
 */
export async function upServer(options: UpOptions): Promise<SandboxServer> {
  const { name, authorizedKeys = [] } = options;
  assertName("server", name);
  await requireSandbox();
  return withLock(lockFile(`server-${name}`), async () => {
    const running = await findRunning(name);
    if (running) return authorize(running, authorizedKeys);
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

/** Removes a server and all that is left of it, also after a crash. Does nothing when there is none. */
export async function downServer(name: string): Promise<void> {
  assertName("server", name);
  await requireSandbox();
  await withLock(lockFile(`server-${name}`), () => tearDown(name));
}

/** Removes all servers, the bridge and its rules; images stay. Returns the names of the removed. */
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
 * Runs a command as root inside a running server, without using its network. The words are passed as they are, no
 * shell is involved. Resolves whatever the exit code.
 */
export async function execOn(
  name: string,
  argv: readonly string[],
  options: { input?: string } = {},
): Promise<CommandResult> {
  return runCommand([...(await enterCommand(name)), ...argv], options);
}

/** The words to put before a command so that it runs as root inside the server. */
export async function enterCommand(name: string): Promise<string[]> {
  const leader = await getLeader(name);
  const environment = ["HOME=/root", "USER=root", "LANG=C.UTF-8", `TERM=${process.env.TERM ?? "dumb"}`];
  const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const enter = ["nsenter", "--all", "--target", String(leader), "--root", "--wd=/"];
  return [...enter, "--", "env", "-i", "-C", "/root", path, ...environment];
}

/** Lets all packets from and to the server vanish, as if its cable was pulled; open connections hang. */
export async function cutNetwork(name: string): Promise<void> {
  await cutAddress(await getRunning(name));
}

/** Puts the cable back in. */
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
      const { leader } = await findProcesses(serverPaths(name));
      return leader !== undefined && leader !== before;
    },
    { timeoutMs: 120_000 },
  );
  if (!(await isAddressCut(record))) await waitForSsh(record);
}

/** Whether there is a saved image of this name. */
export const hasImage = async (image: string): Promise<boolean> => (await findImage(image)) !== undefined;

/**
 * Shuts the server down and makes its disk an image to start other servers from. The server is gone afterwards. An
 * image that exists already is kept, and the server's disk dropped: put a hash of what makes the image into its name.
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
 * The image, made on first use: boots a server, lets `prepare` change it, and saves it. Of several processes that ask
 * at once, one makes it and the others wait.
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

async function mountDisk({ name, layers }: ServerRecord): Promise<void> {
  const { upper, work, root } = serverPaths(name);
  for (const directory of [upper, work, root]) await mkdir(directory, { recursive: true });
  const options = `lowerdir=${layers.join(":")},upperdir=${upper},workdir=${work}`;
  await mustRun(["mount", "-t", "overlay", "overlay", "-o", options, root]);
}

/** What makes this server itself: name, address, keys. Overwrites what came with an image. */
async function personalize(record: ServerRecord, authorizedKeys: readonly string[]): Promise<void> {
  const { root } = serverPaths(record.name);
  await writeFile(join(root, "etc/hostname"), `${record.name}\n`);
  await writeFile(join(root, "etc/hosts"), `127.0.0.1 localhost\n127.0.1.1 ${record.name}\n::1 localhost\n`);
  await writeFile(join(root, "etc/machine-id"), `${randomBytes(16).toString("hex")}\n`);
  await writeNetworkSettings(root, record.address);
  await writeHostKeys(root);
  const own = await readFile(`${await ensureKeyPair()}.pub`, "utf8");
  await mkdir(join(root, "root/.ssh"), { recursive: true, mode: 0o700 });
  const keys = [own, ...authorizedKeys].map((key) => `${key.trim()}\n`).join("");
  await writeFile(join(root, "root/.ssh/authorized_keys"), keys, { mode: 0o600 });
  await copyMachineSettings(root);
}

async function writeNetworkSettings(root: string, address: string): Promise<void> {
  const gateway = address.replace(/\d+$/, "1");
  const settings = [
    "[Match]\nName=host0\n",
    `[Network]\nAddress=${address}/24\nGateway=${gateway}\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n`,
  ];
  await writeFile(join(root, "etc/systemd/network/10-host0.network"), settings.join("\n"));
}

async function writeHostKeys(root: string): Promise<void> {
  for (const type of ["ed25519", "ecdsa"]) {
    const file = join(root, `etc/ssh/ssh_host_${type}_key`);
    await rm(file, { force: true });
    await mustRun(["ssh-keygen", "-q", "-t", type, "-N", "", "-C", "", "-f", file]);
  }
}

/** The path of the sandbox's private key; the public one is beside it. */
async function ensureKeyPair(): Promise<string> {
  const file = keyFile();
  return withLock(lockFile("key"), async () => {
    if (!(await exists(`${file}.pub`))) {
      await rm(file, { force: true });
      await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "longshore-sandbox", "-f", file]);
    }
    return file;
  });
}

const keyFile = (): string => join(stateDirectory(), "id_ed25519");

async function boot(record: ServerRecord, priority: Priority = "normal"): Promise<void> {
  const paths = serverPaths(record.name);
  const log = await open(paths.console, "a");
  const supervisor = join(import.meta.dirname, "supervise.sh");
  const argv = [paths.root, cgroupOf(record), priority, ...containerCommand(record)];
  // Its own session, so that neither Ctrl-C nor the end of this process reaches the server.
  const unified = getDistribution(record.distribution).unifiedCgroups ? { UNIFIED_CGROUP_HIERARCHY: "1" } : {};
  const env = { ...process.env, ...unified };
  const child = spawn(supervisor, argv, { cwd: "/", detached: true, stdio: ["ignore", log.fd, log.fd], env });
  await once(child, "spawn");
  child.unref();
  await log.close();
}

function containerCommand({ name, machine, bridge }: ServerRecord): string[] {
  return [
    "systemd-nspawn",
    "--quiet",
    "--directory",
    serverPaths(name).root,
    "--boot",
    `--network-bridge=${bridge}`,
    `--machine=${machine}`,
    `--hostname=${name}`,
    "--register=no",
    "--keep-unit",
    "--resolv-conf=off",
    // Else this machine's time zone is mounted over the server's, and the package with the zones cannot be configured.
    "--timezone=off",
    "--kill-signal=SIGRTMIN+3",
    // Systemd from version 256 on refuses the older cgroup layout, which this machine may have, unless told.
    "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1",
  ];
}

const cgroupOf = ({ machine }: ServerRecord): string => `longshore-${machine}`;

async function waitForSsh({ name, address }: ServerRecord): Promise<void> {
  const paths = serverPaths(name);
  await until(
    `SSH of ${name} answered at ${address}`,
    async () => {
      if (await greetsAsSsh(address)) return true;
      const { supervisors } = await findProcesses(paths);
      if (supervisors.length === 0) throw new Error("its container ended.");
      return false;
    },
    { timeoutMs: 60_000 },
  );
}

/** Whether an SSH server greets at this address within a second. */
export function greetsAsSsh(address: string, port = 22): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => settle(false));
    socket.on("data", (chunk) => settle(chunk.toString().startsWith("SSH-2.0")));
    socket.on("error", () => settle(false));
    socket.on("close", () => settle(false));
  });
}

async function shutDown(name: string): Promise<void> {
  const paths = serverPaths(name);
  signalAll((await findProcesses(paths)).containers, "SIGTERM");
  await until(
    `${name} had shut down`,
    async () => {
      const { supervisors, inside } = await findProcesses(paths);
      return supervisors.length + inside.length === 0;
    },
    { timeoutMs: 120_000 },
  );
}

async function tearDown(name: string): Promise<void> {
  const paths = serverPaths(name);
  const record = await findRecord(name);
  await killAll(name);
  await unmountDisk(paths.root);
  if (record) {
    await releaseAddress(record);
    await removeCgroups(cgroupOf(record));
  }
  await rm(paths.directory, { recursive: true, force: true });
}

async function killAll(name: string): Promise<void> {
  const paths = serverPaths(name);
  await until(`the processes of ${name} had ended`, async () => {
    const { supervisors, containers, inside } = await findProcesses(paths);
    // The container first: its supervisor then reaps it and ends by itself. Where process 1 is not an init that reaps,
    // the other order would leave a zombie for every server.
    signalAll([...inside, ...(containers.length > 0 ? containers : supervisors)], "SIGKILL");
    return supervisors.length + containers.length + inside.length === 0;
  });
}

async function unmountDisk(root: string): Promise<void> {
  const mounted = async () => (await runCommand(["mountpoint", "-q", root])).exitCode === 0;
  if (!(await mounted())) return;
  if ((await runCommand(["umount", root])).exitCode !== 0) await mustRun(["umount", "--lazy", root]);
  if (await mounted()) await unmountDisk(root);
}

async function removeCgroups(cgroup: string): Promise<void> {
  for (const hierarchy of ["", "/systemd", "/unified", "/cpu"]) {
    const directory = join("/sys/fs/cgroup", hierarchy, cgroup);
    await until(`the cgroup ${directory} was empty`, async () => {
      await removeEmptyTree(directory);
      return !(await exists(directory));
    });
  }
}

// Files in a cgroup cannot be removed, directories only one by one: `rm` does neither.
async function removeEmptyTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyTree(join(directory, entry.name));
  await rmdir(directory).catch(() => {});
}

async function findRunning(name: string): Promise<ServerRecord | undefined> {
  const record = await findRecord(name);
  if (!record) return undefined;
  return (await statusOf(record)) === "stopped" ? undefined : record;
}

async function statusOf(record: ServerRecord): Promise<ServerStatus["status"]> {
  const { containers, leader } = await findProcesses(serverPaths(record.name));
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
  const { leader } = await findProcesses(serverPaths(name));
  if (leader !== undefined) return leader;
  throw new SandboxError(`The server ${name} does not run: ./longshore sandbox up ${name} makes a new one.`);
}

async function authorize(record: ServerRecord, keys: readonly string[]): Promise<SandboxServer> {
  const file = join(serverPaths(record.name).root, "root/.ssh/authorized_keys");
  const present = await readFile(file, "utf8");
  const missing = keys.map((key) => key.trim()).filter((key) => !present.includes(key));
  if (missing.length > 0) await appendFile(file, missing.map((key) => `${key}\n`).join(""));
  return publicView(record);
}

const publicView = ({ name, address }: ServerRecord): SandboxServer => ({
  name,
  address,
  sshPort: 22,
  privateKeyPath: keyFile(),
});

async function consoleTail(name: string): Promise<string> {
  const text = await readFile(serverPaths(name).console, "utf8").catch(() => "");
  const lines = text.trim().split("\n").slice(-10).join("\n");
  return lines === "" ? "" : `\nIts console ended with:\n${lines}`;
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
