import { withPrelude } from "../../../../host/runner/prelude.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase } from "../../database-copy.ts";
import { keepFiles } from "../../file-copy.ts";
import { asProject } from "../../steps.ts";
import { matomoDirectory, unpack, updatingFile } from "./install.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

const prepare = (work: AppUpdate) => {
  const { layout, from } = work;
  const directory = matomoDirectory(work);
  return [
    ...unpack(work),
    asProject(
      layout,
      { key: "carry-plugins", label: "Take plugins along", sentence: "The plugins could not be copied." },
      scriptFile(file("carry.sh"), { directory, former: matomoDirectory({ layout, release: from.release }) }),
      { phase: "update" },
    ),
    asProject(
      layout,
      { key: "begin-maintenance", label: "Begin the maintenance", sentence: "The maintenance could not begin." },
      hold(work),
      { phase: "update", undo: sh`rm -f -- ${updatingFile(layout)}` },
    ),
    keepFiles(work, ["matomo/config.ini.php"]),
    keepDatabase(work, {
      schema:
        "SELECT option_name, option_value FROM matomo_option WHERE option_name LIKE 'version%' ORDER BY option_name",
    }),
    asProject(
      layout,
      {
        key: "run-updater",
        label: "Run Matomo's own updater",
        sentence: "Matomo's own updater failed; its own words are above.",
      },
      scriptFile(file("upgrade.sh"), { directory }),
      { phase: "update", timeoutSeconds: 3600 },
    ),
  ];
};

const upgrade = (work: AppUpdate) => [
  asProject(
    work.layout,
    { key: "upgrade-database", label: "End the maintenance", sentence: "The maintenance could not be ended." },
    scriptFile(file("finish.sh"), {
      directory: matomoDirectory(work),
      updating: updatingFile(work.layout),
      version: work.version.version,
    }),
    { phase: "activate", undo: withPrelude("The maintenance could not begin again.", hold(work)) },
  ),
];

// The new release is checked and activated after the old one has stopped writing.
const hold = (work: AppUpdate) => sh`
  printf '%s\\n' ${matomoDirectory(work)} > ${updatingFile(work.layout)}.new
  mv -T -- ${updatingFile(work.layout)}.new ${updatingFile(work.layout)}
  echo "Matomo rests until the new release serves."`;

export const update: AppUpdater = { prepare, upgrade };
