import { withPrelude } from "../../../../host/runner/prelude.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase } from "../../database-copy.ts";
import { keepFiles } from "../../file-copy.ts";
import { asProject } from "../../steps.ts";
import { serverDirectory, unpack, updatingFile } from "./install.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

const prepare = (work: AppUpdate) => {
  const { layout, from } = work;
  return [
    asProject(
      layout,
      { key: "check-status", label: "Check that no other update runs", sentence: "Nextcloud does not answer occ." },
      scriptFile(file("check.sh"), { directory: serverDirectory({ layout, release: from.release }) }),
      { phase: "check" },
    ),
    ...unpack(work),
    asProject(
      layout,
      { key: "begin-maintenance", label: "Begin the maintenance", sentence: "The maintenance could not begin." },
      hold(work),
      { phase: "update", undo: sh`rm -f -- ${updatingFile(layout)}` },
    ),
    // Apps from the store are updated in place, and the settings contain the version.
    keepFiles(work, ["config", "custom_apps"]),
    keepDatabase(work, {
      schema:
        "SELECT app, version FROM oc_migrations ORDER BY app, version;" +
        "SELECT appid, configvalue FROM oc_appconfig WHERE configkey = 'installed_version' ORDER BY appid",
    }),
    asProject(
      layout,
      {
        key: "run-updater",
        label: "Run Nextcloud's own updater",
        sentence: "Nextcloud's own updater failed; its own words are above.",
      },
      scriptFile(file("upgrade.sh"), { directory: serverDirectory(work) }),
      { phase: "update", timeoutSeconds: 3600 },
    ),
  ];
};

const upgrade = (work: AppUpdate) => [
  asProject(
    work.layout,
    { key: "upgrade-database", label: "End the maintenance", sentence: "The maintenance could not be ended." },
    scriptFile(file("finish.sh"), {
      directory: serverDirectory(work),
      updating: updatingFile(work.layout),
      version: work.version.version,
    }),
    { phase: "activate", undo: withPrelude("The maintenance could not begin again.", hold(work)) },
  ),
];

// The new release is checked and activated after the old one has stopped writing.
const hold = (work: AppUpdate) =>
  scriptFile(file("hold.sh"), {
    former: serverDirectory({ ...work, release: work.from.release }),
    directory: serverDirectory(work),
    updating: updatingFile(work.layout),
  });

export const update: AppUpdater = { prepare, upgrade };
