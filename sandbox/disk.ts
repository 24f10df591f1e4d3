import { randomBytes } from "node:crypto";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyMachineSettings } from "./base.ts";
import { mustRun, runCommand } from "./command.ts";
import { exists } from "./exists.ts";
import { withLock } from "./lock.ts";
import { keyFile, lockFile, serverPaths } from "./paths.ts";
import type { ServerRecord } from "./records.ts";

// The disk of a server: an image with the server's own layer on top, which contains what is specific to the server.

/** Mounts an empty or remaining layer over the layers of the record. */
export async function mountDisk({ name, layers }: ServerRecord): Promise<void> {
  const { upper, work, root } = serverPaths(name);
  for (const directory of [upper, work, root]) await mkdir(directory, { recursive: true });
  // A server's disk outlives a reboot, but no power cut of this machine: nothing on it has to be flushed.
  const options = `lowerdir=${layers.join(":")},upperdir=${upper},workdir=${work},volatile`;
  await mustRun(["mount", "-t", "overlay", "overlay", "-o", options, root]);
}

/** The specifics of this server: name, address, keys. Overwrites those of an image. */
export async function personalize(record: ServerRecord, authorizedKeys: readonly string[]): Promise<void> {
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

/** Authorizes more keys. */
export async function authorize(record: ServerRecord, keys: readonly string[]): Promise<void> {
  const file = join(serverPaths(record.name).root, "root/.ssh/authorized_keys");
  const present = await readFile(file, "utf8");
  const missing = keys.map((key) => key.trim()).filter((key) => !present.includes(key));
  if (missing.length > 0) await appendFile(file, missing.map((key) => `${key}\n`).join(""));
}

/** Does nothing when nothing is mounted there. Several mounts are unmounted as often. */
export async function unmountDisk(root: string): Promise<void> {
  const mounted = async () => (await runCommand(["mountpoint", "-q", root])).exitCode === 0;
  if (!(await mounted())) return;
  if ((await runCommand(["umount", root])).exitCode !== 0) await mustRun(["umount", "--lazy", root]);
  if (await mounted()) await unmountDisk(root);
}
