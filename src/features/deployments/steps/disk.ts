import type { FactForms } from "../../../engine/facts.ts";
import type { Run } from "../../../engine/queries.ts";
import type { ProjectLayout } from "../../../host/layout.ts";
import { type Script, sh } from "../../../host/sh.ts";

/** A project's disk usage on its server, and its releases there; absent if it could not be measured. */
export const diskFacts: FactForms = {
  releases_bytes: "number",
  caches_bytes: "number",
  kept_releases: "ids",
};

/** The reported usage of a run; undefined if it could not measure. */
export function diskOf({ facts }: Pick<Run, "facts">) {
  const { releases_bytes: releases, caches_bytes: caches, kept_releases: kept } = facts;
  if (releases === undefined || caches === undefined) return undefined;
  const keptReleases = kept === undefined ? null : kept.split(" ").map(Number);
  return { releasesBytes: Number(releases), cachesBytes: Number(caches), keptReleases };
}

/**
 * `measure_releases` fills `sizes` by name, in the directory of the releases; `report_disk NAME…` reports them as those that
 * stay. Root only counts, and reads no contents. With a time limit, since a project may have any number of files.
 */
export const diskFunctions = (layout: ProjectLayout): Script => sh`
  measure() { timeout 60 du -sB1 -- "$@" 2> /dev/null; }
  declare -A sizes=()
  measure_releases() {
    local size name names=(*)
    ((\${#names[@]} > 0)) || return 0
    while IFS=$'\\t' read -r size name; do
      sizes[$name]=$size
    done < <(measure "\${names[@]}")
  }
  report_disk() { # NAME...
    local caches=0 releases=0 size name
    for name in "$@"; do
      [[ \${sizes[$name]-} ]] || return 0
      releases=$((releases + sizes[$name]))
    done
    while IFS=$'\\t' read -r size name; do
      caches=$((caches + size))
    done < <(measure ${[layout.cache, layout.home]})
    {
      printf 'releases_bytes %s\\n' "$releases"
      printf 'caches_bytes %s\\n' "$caches"
      [[ " $* " = *in-place* ]] || printf 'kept_releases %s\\n' "$*"
    } >> "$LONGSHORE_FACTS"
  }`;
