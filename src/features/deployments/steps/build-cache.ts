import { hash } from "node:crypto";
import type { ProjectLayout } from "../../../host/layout.ts";
import { type Script, sh } from "../../../host/sh.ts";
import type { Work } from "./work.ts";

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
export const buildCacheFunctions = (work: Work, branch: string): Script => sh`
  kept=${buildCachesOf(work.layout)}/${hash("sha256", `${branch}\n${work.project.directory}`).slice(0, 16)}
  folders=(${[...cacheFolders]})
  # In the directory that its name says: no part of the way is a link.
  is_in_place() { [[ $(realpath -m -- "$1") = "$(pwd -P)/$1" ]]; }
  size_of() { du -sh -- "$1" | cut -f 1; }
  restore_build_cache() {
    local folder fresh=()
    for folder in "\${folders[@]}"; do
      if [[ ! -e $folder && ! -L $folder ]] && is_in_place "$folder"; then fresh+=("$folder"); fi
    done
    folders=("\${fresh[@]}")
    rm -rf -- "$kept.used"
    [[ -d $kept && ! -L $kept ]] || return 0
    mv -T -- "$kept" "$kept.used" || return 0
    echo "Restored the build cache of this branch ($(size_of "$kept.used"))."
    for folder in "\${folders[@]}"; do
      [[ -d $kept.used/$folder && ! -L $kept.used/$folder ]] || continue
      mkdir -p -- "$(dirname -- "$folder")"
      mv -T -- "$kept.used/$folder" "$folder"
    done
    rm -rf -- "$kept.used"
    on_failure="The build began with the cache of earlier builds, which is not used again: the next deployment builds without it."
  }
  store_build_cache() {
    local folder part bytes
    rm -rf -- "$kept.new"
    for folder in "\${folders[@]}"; do
      if [[ ! -d $folder || -L $folder ]] || ! is_in_place "$folder"; then continue; fi
      mkdir -p -- "$(dirname -- "$kept.new/$folder")"
      ${move(work)}
    done
    [[ -d $kept.new ]] || return 0
    bytes=$(du -sB1 -- "$kept.new" | cut -f 1)
    if ((bytes > ${buildCacheLimits.bytes})); then
      echo "The build left a cache of $(size_of "$kept.new"), which is more than is kept: the next one begins without it."
      rm -rf -- "$kept.new"
      return 0
    fi
    rm -rf -- "$kept"
    mv -T -- "$kept.new" "$kept"
    echo "Stored the build cache of this branch ($(size_of "$kept"))."
  }`;

// A static release has no process that could need them.
const move = ({ project }: Work): Script =>
  project.framework.runtimeFamily === "static"
    ? sh`mv -T -- "$folder" "$kept.new/$folder"`
    : sh`
      mv -T -- "$folder" "$kept.new/$folder"
      for part in ${readByProcesses}; do
        if [[ $part = "$folder" ]]; then cp -a --reflink=auto -- "$kept.new/$folder" "$folder"
        elif [[ $part = "$folder"/* && -d $kept.new/$part && ! -L $kept.new/$part ]]; then
          mkdir -p -- "$folder"
          cp -a --reflink=auto -- "$kept.new/$part" "$part"
        fi
      done`;
