import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, messageOf } from "../../lib/errors.ts";
import { versionDirectory } from "../layout.ts";
import { linkPostgres } from "../program.ts";
import { syncDirectory } from "./journal.ts";
import type { UpgradeLayout } from "./layout.ts";
import { mustRun } from "./run-program.ts";
import { isVersion } from "./version-order.ts";

// A package as `./longshore package` makes it: a compressed archive whose files are below `package/`.

const unpackTimeoutMs = 1_800_000;

/** The version of the package in a file. Throws AppError("invalid") if it is no package of Longshore. */
export async function packageVersion(file: string): Promise<string> {
  try {
    const { name, version } = JSON.parse(await readMember(file, "package.json")) as Record<string, unknown>;
    if (name === "longshore" && typeof version === "string" && isVersion(version)) return version;
  } catch (cause) {
    throw new AppError("invalid", `${file} is no package of Longshore: ${messageOf(cause)}`, { cause });
  }
  throw new AppError("invalid", `${file} is no package of Longshore: it is not the one that its package.json names.`);
}

/** The changelog in the package; empty without one. */
export const packageChangelog = (file: string): Promise<string> => readMember(file, "CHANGELOG.md").catch(() => "");

const readMember = (file: string, name: string): Promise<string> =>
  mustRun(["tar", "--extract", "--gzip", "--to-stdout", `--file=${file}`, "--occurrence=1", `package/${name}`]);

/**
 * Installs a package beside the versions that are there, complete when this resolves, also after a power cut. One of the same version
 * is replaced, but not the one that runs.
 */
export async function installBeside(layout: UpgradeLayout, file: string, version: string): Promise<void> {
  const directory = versionDirectory(layout, version);
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  try {
    await unpack(file, partial);
    await refuseOther(partial, version);
    if (!existsSync(join(partial, "node_modules"))) await installDependencies(partial);
    await mustRun(["chmod", "-R", "a+rX,go-w", partial]);
    await mustRun(["sync", "--file-system", partial], { timeoutMs: unpackTimeoutMs });
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await rm(directory, { recursive: true, force: true });
  await rename(partial, directory);
  await syncDirectory(layout.versions);
}

async function unpack(file: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const tar = ["tar", "--extract", "--gzip", `--file=${file}`, `--directory=${directory}`, "--strip-components=1"];
  await mustRun([...tar, "--no-same-owner", "--no-same-permissions"], { timeoutMs: unpackTimeoutMs });
}

async function refuseOther(directory: string, version: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as { version: string };
  if (manifest.version === version) return;
  throw new AppError("invalid", `The package that should be ${version} is ${manifest.version}.`);
}

/** Exactly those that the package pins, as a registry has them; npm compares each with its integrity. */
async function installDependencies(directory: string): Promise<void> {
  const npm = ["npm", "ci", "--prefix", directory, "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  await mustRun([...npm, "--loglevel=error"], { timeoutMs: unpackTimeoutMs });
  await linkPostgres(directory);
}
