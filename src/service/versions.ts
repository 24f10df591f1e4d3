import { existsSync } from "node:fs";
import { rename, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { AppError } from "../lib/errors.ts";
import { type ServiceLayout, versionDirectory } from "./layout.ts";

/**
 * Makes `current` lead to this version, in one instant: a start at any time finds the former version or this one. Throws
 * AppError("not_found") if the version is not installed. Restarts nothing.
 */
export async function switchVersion(layout: ServiceLayout, version: string): Promise<void> {
  const directory = versionDirectory(layout, version);
  if (!existsSync(join(directory, "longshore"))) {
    throw new AppError("not_found", `There is no Longshore ${version} in ${directory}.`);
  }
  await replaceLink(layout.current, relative(layout.programs, directory));
}

/** Negative if the first version is before the other, as in semantic versioning: `0.3.0-dev` is before `0.3.0`. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => {
    const [numbers = "", suffix] = version.split(/-(.*)/);
    return { numbers: numbers.split(".").map(Number), suffix };
  }) as [VersionParts, VersionParts];
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index]);
  if (at >= 0) return (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
  if (a.suffix === b.suffix) return 0;
  if (a.suffix === undefined || b.suffix === undefined) return a.suffix === undefined ? 1 : -1;
  return a.suffix.localeCompare(b.suffix, "en", { numeric: true });
}

interface VersionParts {
  numbers: number[];
  suffix: string | undefined;
}

/** Makes a symbolic link, or leads it elsewhere, in one instant. */
export async function replaceLink(link: string, target: string): Promise<void> {
  const draft = `${link}.new`;
  await rm(draft, { force: true });
  await symlink(target, draft);
  await rename(draft, link);
}
