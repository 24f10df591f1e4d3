import { access, constants, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runCommand } from "./command.ts";
import { SandboxError } from "./errors.ts";
import { withLock } from "./lock.ts";

const installLock = "/run/lock/longshore-packages.lock";

// Only if the command's name differs from its package's.
const commandOf: Record<string, string> = { "systemd-container": "systemd-nspawn", "openssh-client": "ssh" };

/**
 * Makes sure that Debian packages are installed. As root on Debian or Ubuntu it installs them, and prints on standard
 * error which ones and why; otherwise it throws a sentence with the missing packages and the command to install them.
 * Without dpkg, a package counts as installed when its command exists.
 */
export async function ensurePackages(names: readonly string[], why: string): Promise<void> {
  if ((await missing(names)).length === 0) return;
  if (process.getuid?.() !== 0 || !(await findCommand("apt-get"))) throw cannotInstall(await missing(names), why);
  await withLock(installLock, async () => {
    // Checked again, because the process that held the lock may have installed exactly these.
    const wanted = await missing(names);
    if (wanted.length === 0) return;
    process.stderr.write(`Installing Debian packages ${wanted.join(", ")}: ${why} …\n`);
    await install(wanted);
  });
}

async function missing(names: readonly string[]): Promise<string[]> {
  const present = (await findCommand("dpkg-query")) ? await installedPackages(names) : await presentCommands(names);
  return names.filter((name) => !present.has(name));
}

async function installedPackages(names: readonly string[]): Promise<Set<string>> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own format, not a template
  const format = "${Package} ${db:Status-Status}\n";
  const { stdout } = await runCommand(["dpkg-query", "--show", `--showformat=${format}`, ...names]);
  const rows = stdout.split("\n").map((line) => line.split(" "));
  return new Set(rows.flatMap(([name, status]) => (name && status === "installed" ? [name] : [])));
}

async function presentCommands(names: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(names.map(async (name) => (await findCommand(commandOf[name] ?? name)) && name));
  return new Set(found.filter((name) => name !== undefined));
}

// Packages for tests, such as a web server, must not start serving on this machine. See invoke-rc.d(8).
const servicePolicy = "/usr/sbin/policy-rc.d";
const startNothing = "#!/bin/sh\n# Longshore is installing packages. If it is not, remove this file.\nexit 101\n";

async function install(names: readonly string[]): Promise<void> {
  const isOurs = await writeFile(servicePolicy, startNothing, { mode: 0o755, flag: "wx" }).then(
    () => true,
    () => false,
  );
  try {
    await installNow(names);
  } finally {
    if (isOurs) await rm(servicePolicy);
  }
}

async function installNow(names: readonly string[]): Promise<void> {
  if (await aptInstall(names).then(wentWell)) return;
  // Without package lists, or with old ones, the first try fails: refresh them once.
  const update = await apt(["update"]);
  const result = await aptInstall(names);
  if (wentWell(result)) return;
  const said = [update.stderr, result.stderr].join("\n").trim().split("\n").slice(-15).join("\n");
  throw new SandboxError(`apt-get could not install ${names.join(", ")}:\n${said}`);
}

const wentWell = (result: { exitCode: number }): boolean => result.exitCode === 0;

const aptInstall = (names: readonly string[]) => apt(["install", "--yes", "--no-install-recommends", ...names]);

const apt = (args: readonly string[]) =>
  runCommand(["apt-get", "-o", "DPkg::Lock::Timeout=300", "-q", ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });

const cannotInstall = (names: readonly string[], why: string): SandboxError =>
  new SandboxError(
    `Missing: ${names.join(", ")} (${why}). Only root on Debian or Ubuntu gets them by itself; type: ` +
      `sudo apt-get update && sudo apt-get install --yes ${names.join(" ")}`,
  );

async function findCommand(name: string): Promise<string | undefined> {
  // Not every PATH contains sbin, which has half of the requested commands.
  const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  for (const directory of directories.filter(Boolean)) {
    const file = join(directory, name);
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}
