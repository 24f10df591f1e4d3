import { hash } from "node:crypto";
import { exportsFile } from "../../../host/environment/with-environment.ts";
import type { ProjectLayout } from "../../../host/layout.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import { environmentOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Cache directories of build tools, below the working directory: caches that the tools validate themselves, and rebuild if
 * missing. Not included: parts of the result (`.svelte-kit`), and `node_modules/.tmp`, with which TypeScript skips files that it
 * wrote in another release.
 */
export const cacheFolders = [
  ".next/cache",
  ".nuxt/cache",
  ".angular/cache",
  ".astro",
  ".parcel-cache",
  ".turbo/cache",
  "node_modules/.cache",
  "node_modules/.vite",
  "node_modules/.astro",
] as const;

/** Caches that processes read too: the data of Next.js' fetches, and files that a project's code may have downloaded. */
const readByProcesses = [".next/cache/fetch-cache", ".next/cache/images", "node_modules/.cache"];

/** Of all branches of a project together. */
export const buildCacheLimits = { bytes: 2 ** 30, days: 30 } as const;

/** Directories by branch and working directory, all of the project's user. */
export const buildCachesOf = ({ cache }: ProjectLayout): string => `${cache}/builds`;

/**
 * `restore_build_cache`, before a build, and `store_build_cache`, after a successful one. Both move directories, which takes no
 * time and no space, and keeps releases independent. A restored cache is missing from the cache until a build succeeds, so a
 * cache that breaks a build does so once. Nothing is moved through a link, or over existing files.
 */
export const buildCacheFunctions = (work: Work, branch: string): Script =>
  script("build-cache.sh", {
    build_cache: `${buildCachesOf(work.layout)}/${hash("sha256", `${branch}\n${work.project.directory}`).slice(0, 16)}`,
    folders: cacheFolders,
    shared_folders: work.project.framework.runtimeFamily === "static" ? [] : readByProcesses,
    largest: buildCacheLimits.bytes,
    environment_exports: `${environmentOf(work)}/${exportsFile}`,
  });
