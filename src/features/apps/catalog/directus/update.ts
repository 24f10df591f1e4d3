import { releaseDirectory } from "../../../../host/layout.ts";
import { lines, sh } from "../../../../host/sh.ts";
import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase, tablesOf } from "../../database-copy.ts";
import { checkVersion, makeRelease, pruneStore } from "../../npm.ts";
import { asProject } from "../../steps.ts";
import { directus, service } from "./install.ts";

/** The old release keeps serving while its tables are changed, until the new one answers. */
const prepare = (work: AppUpdate) => [
  ...makeRelease(work, service),
  checkVersion(work, service),
  keepDatabase(work, {
    schema: tablesOf(work, "COUNT(*), MAX(version) FROM directus_migrations"),
  }),
  asProject(
    work.layout,
    {
      key: "migrate",
      label: "Change the tables",
      sentence: "Directus could not change its tables; its own words are above.",
    },
    lines(
      sh`cd -- ${releaseDirectory(work.layout, work.release)}`,
      directus(work.layout),
      sh`
        (directus database migrate:latest)
        echo "The tables are those of the new version."`,
    ),
    { phase: "update", timeoutSeconds: 1800 },
  ),
];

const upgrade = () => [];

const finish = (work: AppUpdate) => [pruneStore(work)];

export const update: AppUpdater = { prepare, upgrade, finish };
