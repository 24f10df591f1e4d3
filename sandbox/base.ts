import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mustRun } from "./command.ts";
import { aptSources, type Distribution, defaultDistribution, ensureKeyring, getDistribution } from "./distributions.ts";
import { SandboxError } from "./errors.ts";
import { exists } from "./exists.ts";
import { withLock } from "./lock.ts";
import { ensurePackages } from "./packages.ts";
import { imageDirectory, lockFile } from "./paths.ts";
import { type Progress, reportToStderr } from "./progress.ts";

// The content of a cloud's smallest image: an init, SSH, and the tools that fetch and verify packages. apt is named
// because Ubuntu's smallest system lacks it.
const packages = [
  "apt",
  "systemd",
  "systemd-sysv",
  "dbus",
  "openssh-server",
  "sudo",
  "iproute2",
  "ca-certificates",
  "curl",
  "gnupg",
];

// Increase it when prepare() changes: images are cached by all of their inputs.
const recipeVersion = 2;

let required: Promise<void> | undefined;

/** The sandbox needs Linux, root and a few packages; rejects with one sentence that names what is missing. */
export function requireSandbox(): Promise<void> {
  required ??= checkSandbox();
  return required;
}

async function checkSandbox(): Promise<void> {
  const because = whyNoSandbox();
  if (because) throw new SandboxError(because);
  await ensurePackages(["systemd-container", "mmdebstrap", "iptables", "openssh-client"], "local servers need them");
}

/** Why this machine cannot run local servers, as a sentence with what to do instead; undefined when it can. */
export function whyNoSandbox(): string | undefined {
  if (process.platform !== "linux") {
    return "Local servers need Linux (systemd-nspawn): use a Linux machine, or a virtual machine with Debian 12.";
  }
  if (process.getuid?.() !== 0) return "Local servers need root: run the same command with sudo.";
  return undefined;
}

/**
 * The directory of a freshly installed system, built on first use (Debian 20 s, Ubuntu a minute) and kept. It must not be written
 * to: servers are overlays on top. Several processes may call this at once.
 */
export async function ensureBase(name = defaultDistribution, progress: Progress = reportToStderr): Promise<string> {
  const distribution = getDistribution(name);
  await requireSandbox();
  const sources = await aptSources(distribution);
  const directory = imageDirectory(`base-${name}-${recipeHash(sources)}`);
  return withLock(lockFile(`base-${name}`), async () => {
    if (await exists(directory)) return directory;
    progress(`Building the ${distribution.title} image (once, 20 to 60 s) …`);
    await build(distribution, directory, sources);
    return directory;
  });
}

const recipeHash = (sources: readonly string[]): string =>
  createHash("sha256")
    .update(JSON.stringify([recipeVersion, packages, sources]))
    .digest("hex")
    .slice(0, 10);

async function build(distribution: Distribution, directory: string, sources: readonly string[]): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const options = (await machineAptOptions()).map((file) => `--aptopt=${file}`);
  const keyring = await ensureKeyring(distribution);
  // The package lists stay: the first `apt-get update` of every server then fetches only changes.
  const skip = "--skip=cleanup/apt/lists";
  const include = `--include=${packages.join(",")}`;
  await mustRun([
    "mmdebstrap",
    "--quiet",
    "--variant=minbase",
    skip,
    include,
    ...options,
    `--keyring=${keyring}`,
    distribution.name,
    unfinished,
    ...sources,
  ]);
  await prepare(unfinished, sources);
  await rename(unfinished, directory);
}

/** From "installed" to "ready to become many servers": nothing in it may be specific to one server. */
async function prepare(root: string, sources: readonly string[]): Promise<void> {
  const keys = (await readdir(join(root, "etc/ssh"))).filter((file) => file.startsWith("ssh_host_"));
  for (const key of keys) await rm(join(root, "etc/ssh", key));
  await rm(join(root, "etc/apt/apt.conf.d/99mmdebstrap"), { force: true });
  await writeFile(join(root, "etc/apt/sources.list"), "");
  await writeFile(join(root, "etc/apt/sources.list.d/base.list"), `${sources.join("\n")}\n`);
  const systemctl = ["systemctl", `--root=${root}`];
  await mustRun([...systemctl, "enable", "systemd-networkd.service"]);
  // They would take apt's lock at an arbitrary moment.
  await mustRun([...systemctl, "mask", "apt-daily.timer", "apt-daily-upgrade.timer"]);
}

/** This machine's own settings for apt: mirrors behind a proxy need them. */
async function machineAptOptions(): Promise<string[]> {
  const folder = "/etc/apt/apt.conf.d";
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.startsWith("99")).map((file) => join(folder, file));
}

/**
 * Copies the settings of this machine that a server needs to reach package registries: apt's settings, name servers,
 * certificate authorities and the npm registry.
 */
export async function copyMachineSettings(root: string): Promise<void> {
  for (const file of await machineAptOptions()) await cp(file, join(root, file));
  // Ubuntu's file is a link to a file that its own resolver writes later.
  await rm(join(root, "etc/resolv.conf"), { force: true });
  await cp(await resolvConf(), join(root, "etc/resolv.conf"), { dereference: true });
  const authorities = "/usr/local/share/ca-certificates";
  const own = await readdir(authorities).catch(() => []);
  if (own.length > 0) {
    await cp(authorities, join(root, authorities), { recursive: true });
    await cp("/etc/ssl/certs/ca-certificates.crt", join(root, "etc/ssl/certs/ca-certificates.crt"));
  }
  await writeEnvironment(root, await machineEnvironment(own.length > 0));
}

// A server cannot reach a local stub resolver; systemd keeps the real ones beside it.
async function resolvConf(): Promise<string> {
  const text = await readFile("/etc/resolv.conf", "utf8").catch(() => "");
  const upstream = "/run/systemd/resolve/resolv.conf";
  return /^nameserver 127\./m.test(text) && (await exists(upstream)) ? upstream : "/etc/resolv.conf";
}

async function machineEnvironment(ownAuthorities: boolean): Promise<Record<string, string>> {
  const registry = await npmRegistry();
  return {
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    // Node has its own list of authorities and ignores the system's.
    ...(ownAuthorities ? { NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt" } : {}),
  };
}

/** The npm registry that is configured here; one with a password in its address is not passed on. */
async function npmRegistry(): Promise<string | undefined> {
  const home = process.env.HOME ?? "/root";
  const files = [`${home}/.npmrc`, "/usr/etc/npmrc", "/usr/local/etc/npmrc", "/etc/npmrc"];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const set = texts.flatMap((text) => /^registry\s*=\s*"?([^\s"]+)/m.exec(text)?.[1] ?? []);
  const registry = process.env.npm_config_registry ?? set[0];
  return registry?.includes("@") ? undefined : registry;
}

async function writeEnvironment(root: string, environment: Record<string, string>): Promise<void> {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  if (assignments.length === 0) return;
  const folder = join(root, "etc/systemd/system.conf.d");
  await mkdir(folder, { recursive: true });
  // Sessions read the first file, units the second.
  await writeFile(join(root, "etc/environment"), `${assignments.join("\n")}\n`);
  await writeFile(join(folder, "sandbox.conf"), `[Manager]\nDefaultEnvironment=${assignments.join(" ")}\n`);
}
