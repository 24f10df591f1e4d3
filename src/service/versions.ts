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

/** Makes a symbolic link, or leads it elsewhere, in one instant. */
export async function replaceLink(link: string, target: string): Promise<void> {
  const draft = `${link}.new`;
  await rm(draft, { force: true });
  await symlink(target, draft);
  await rename(draft, link);
}
