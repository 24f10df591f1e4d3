import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, readFile, rmdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { getDistribution } from "./distributions.ts";
import { exists } from "./exists.ts";
import { serverPaths } from "./paths.ts";
import { findProcesses, signalAll } from "./processes.ts";
import type { ServerRecord } from "./records.ts";
import { until } from "./until.ts";

// The container of a server: from its start to the removal of the last trace of its processes.

/** `idle`: its processes run only when no other process on this machine needs the processors. */
export type Priority = "normal" | "idle";

/** Starts the container of a server whose disk is mounted. It keeps running when this process ends. */
export async function boot(record: ServerRecord, priority: Priority = "normal"): Promise<void> {
  const paths = serverPaths(record.name);
  const log = await open(paths.console, "a");
  const supervisor = join(import.meta.dirname, "supervise.sh");
  const argv = [paths.root, cgroupOf(record), priority, ...containerCommand(record)];
  const unified = getDistribution(record.distribution).unifiedCgroups ? { UNIFIED_CGROUP_HIERARCHY: "1" } : {};
  const env = { ...process.env, ...unified };
  // A separate session, so that neither Ctrl-C nor the end of this process reaches the server.
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
    // Otherwise this machine's time zone is mounted over the server's, and the package with the zones cannot be
    // configured.
    "--timezone=off",
    "--kill-signal=SIGRTMIN+3",
    // Systemd from version 256 on refuses the older cgroup layout, which this machine may have; this setting allows it.
    "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1",
  ];
}

const cgroupOf = ({ machine }: ServerRecord): string => `longshore-${machine}`;

/** Resolves when SSH answers; rejects after three minutes, and as soon as the container has ended. */
export async function waitForSsh({ name, address }: ServerRecord): Promise<void> {
  const paths = serverPaths(name);
  await until(
    `SSH of ${name} answered at ${address}`,
    async () => {
      if (await greetsAsSsh(address)) return true;
      const { supervisors } = findProcesses(paths);
      if (supervisors.length === 0) throw new Error("its container ended.");
      return false;
    },
    { timeoutMs: 180_000 },
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

/** Asks the system inside to shut down; rejects when it still runs after two minutes. */
export async function shutDown(name: string): Promise<void> {
  const paths = serverPaths(name);
  signalAll(findProcesses(paths).containers, "SIGTERM");
  await until(
    `${name} had shut down`,
    async () => {
      const { supervisors, inside } = findProcesses(paths);
      return supervisors.length + inside.length === 0;
    },
    { timeoutMs: 120_000 },
  );
}

/** Kills every process of a server. Does nothing without processes. */
export async function killAll(name: string): Promise<void> {
  const paths = serverPaths(name);
  await until(`the processes of ${name} had ended`, async () => {
    const { supervisors, containers, inside } = findProcesses(paths);
    // The container first: its supervisor then reaps it and ends. Where process 1 is not an init that reaps, the other
    // order would leave a zombie for every server.
    signalAll([...inside, ...(containers.length > 0 ? containers : supervisors)], "SIGKILL");
    return supervisors.length + containers.length + inside.length === 0;
  });
}

/** Removes the cgroups of a container; its processes must have ended. */
export async function removeCgroups(record: ServerRecord): Promise<void> {
  for (const hierarchy of ["", "/systemd", "/unified", "/cpu"]) {
    const directory = join("/sys/fs/cgroup", hierarchy, cgroupOf(record));
    await until(`the cgroup ${directory} was empty`, async () => {
      await removeEmptyTree(directory);
      return !(await exists(directory));
    });
  }
}

// Files in a cgroup cannot be removed, and directories only one by one: `rm` does neither.
async function removeEmptyTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyTree(join(directory, entry.name));
  await rmdir(directory).catch(() => {});
}

/** The last lines that the system wrote on its console, to append to an error; empty when there are none. */
export async function consoleTail(name: string): Promise<string> {
  const text = await readFile(serverPaths(name).console, "utf8").catch(() => "");
  const lines = text.trim().split("\n").slice(-10).join("\n");
  return lines === "" ? "" : `\nIts console ended with:\n${lines}`;
}
