import type { FactForms } from "../../../engine/runs/facts.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import type { ProjectLayout } from "../../../host/layout.ts";

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
 * The value of disk.sh: `measure_releases` fills `sizes` by name, in the directory of the releases; `report_disk NAME…` reports them as those that
 * stay. Root only counts, and reads no contents. With a time limit, since a project may have any number of files.
 */
export const measuring = ({ cache, home }: ProjectLayout) => ({ measured: [cache, home] });
