import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase, tablesOf } from "../../database-copy.ts";
import { checkVersion, makeRelease, pruneStore } from "../../npm.ts";
import { service } from "./install.ts";

/**
 * n8n changes its tables when the new release starts. The old release serves until the new one answers, with the changed tables.
 */
const prepare = (work: AppUpdate) => [
  ...makeRelease(work, service),
  checkVersion(work, service),
  keepDatabase(work, { schema: tablesOf(work, "COUNT(*), MAX(timestamp) FROM migrations") }),
];

const upgrade = () => [];

const finish = (work: AppUpdate) => [pruneStore(work)];

export const update: AppUpdater = { prepare, upgrade, finish };
