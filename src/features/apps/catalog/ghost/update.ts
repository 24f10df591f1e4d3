import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase, tablesOf } from "../../database-copy.ts";
import { checkVersion, makeRelease, pruneStore } from "../../npm.ts";
import { placeContent, service } from "./install.ts";

/**
 * Ghost changes its tables when the new release starts. The old release serves until the new one answers, with the changed
 * tables.
 */
const prepare = (work: AppUpdate) => [
  ...makeRelease(work, service),
  checkVersion(work, service),
  keepDatabase(work, {
    schema: tablesOf(work, "COUNT(*), COALESCE(MAX(id), 0) FROM migrations"),
    afterUndo: "UPDATE migrations_lock SET locked = 0, acquired_at = NULL",
  }),
  placeContent(work, work.from.release),
];

const upgrade = () => [];

const finish = (work: AppUpdate) => [pruneStore(work)];

export const update: AppUpdater = { prepare, upgrade, finish };
