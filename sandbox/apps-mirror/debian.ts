import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, runCommand } from "../command.ts";
import { aptSources, getDistribution } from "../distributions.ts";
import { stateDirectory } from "../paths.ts";

// Packages of Debian releases other than this machine's; apt itself downloads them, and they are unpacked without being
// installed.

/** A Debian release as a source of packages. */
export type Suite = "bookworm" | "trixie" | "sid";

const aptDirectory = (suite: Suite): string => join(stateDirectory(), "apps-mirror", `apt-${suite}`);

/** Downloads packages and unpacks all of them into one directory. */
export async function unpackPackages(suite: Suite, names: readonly string[], root: string): Promise<void> {
  const directory = `${root}.debs`;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await mkdir(root, { recursive: true });
  const options = await aptOptions(suite);
  await mustRun(["apt-get", ...options, "-q", "download", ...names], { cwd: directory });
  for (const file of await readdir(directory)) await mustRun(["dpkg-deb", "--extract", join(directory, file), root]);
  await rm(directory, { recursive: true });
}

/** A package and all its dependencies, itself included. */
export async function closureOf(suite: Suite, name: string): Promise<string[]> {
  const kinds = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"].map((kind) => `--no-${kind}`);
  const found = await mustRun(["apt-cache", ...(await aptOptions(suite)), "depends", "--recurse", ...kinds, name]);
  return [...new Set(found.match(/^[a-z0-9][a-z0-9.+-]*$/gm))];
}

/** The newest version of a package in a release; undefined when the release lacks it. */
export async function candidateOf(suite: Suite, name: string): Promise<string | undefined> {
  const { stdout } = await runCommand(["apt-cache", ...(await aptOptions(suite)), "policy", name]);
  const version = /Candidate: (\S+)/.exec(stdout)?.[1];
  return version === "(none)" ? undefined : version;
}

async function aptOptions(suite: Suite): Promise<string[]> {
  const directory = aptDirectory(suite);
  const sources = join(directory, "sources.list");
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    "Dir::Etc::sourceparts=-",
    `Dir::State::lists=${join(directory, "lists")}`,
    `Dir::Cache=${join(directory, "cache")}`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  if (await readFile(join(directory, "updated"), "utf8").catch(() => undefined)) return options;
  await mkdir(join(directory, "lists/partial"), { recursive: true });
  await mkdir(join(directory, "cache/archives/partial"), { recursive: true });
  await writeFile(sources, `${(await linesOf(suite)).join("\n")}\n`);
  await mustRun(["apt-get", ...options, "-q", "update"]);
  await writeFile(join(directory, "updated"), new Date().toISOString());
  return options;
}

// This machine's keyring may not have the keys of newer releases; the archive is only a source for stand-ins.
async function linesOf(suite: Suite): Promise<string[]> {
  const known = suite === "sid" ? "trixie" : suite;
  const own = await aptSources(getDistribution(known));
  const lines = suite === "sid" ? own.slice(0, 1).map((line) => line.replace(" trixie ", " sid ")) : own.slice(0, 1);
  return lines.map((line) => line.replace(/^deb /, "deb [trusted=yes] "));
}

export async function md5Of(file: string): Promise<string> {
  return createHash("md5")
    .update(await readFile(file))
    .digest("hex");
}

/** Moves a result to its place in one step, so that an interruption leaves nothing half-built. */
export async function settle(staging: string, directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await rename(staging, directory);
}
