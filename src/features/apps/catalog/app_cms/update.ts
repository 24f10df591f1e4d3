import { releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { AppUpdate, AppUpdater } from "../../app.ts";
import { keepDatabase } from "../../database-copy.ts";
import { asProject, createRelease, download, downloaded } from "../../steps.ts";
import { wpCliOf, wpVariables } from "./install.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

const prepare = (work: AppUpdate) => {
  const { layout, version, from, release } = work;
  const former = releaseDirectory(layout, from.release);
  const wp = wpVariables(work);
  return [
    download(layout, [wpCliOf(work), version.archive], "WordPress"),
    asProject(
      layout,
      { key: "check-lock", label: "Check that no other update runs", sentence: "WordPress does not answer WP-CLI." },
      scriptFile(file("check-lock.sh"), { ...wp, directory: former }),
      { phase: "check" },
    ),
    keepDatabase(work, {
      schema: "SELECT option_value FROM wp_options WHERE option_name = 'db_version'",
      afterUndo: "DELETE FROM wp_options WHERE option_name = 'core_updater.lock'",
    }),
    createRelease(layout, release),
    asProject(
      layout,
      { key: "copy-release", label: "Copy the release", sentence: "The release could not be copied." },
      sh`
        cp -a -- ${former}/. ${wp.directory}/
        rm -f -- ${wp.directory}/.maintenance
        echo "Copied the release."`,
      { phase: "update" },
    ),
    asProject(
      layout,
      {
        key: "run-updater",
        label: "Run WordPress's own updater",
        sentence: "WordPress's own updater failed; its own words are above.",
      },
      scriptFile(file("update.sh"), {
        ...wp,
        archive: downloaded(layout, version.archive),
        work: `${layout.cache}/apps/update-${release}`,
        version: version.version,
      }),
      {
        phase: "update",
        timeoutSeconds: 900,
        undo: sh`
          rm -rf -- ${`${layout.cache}/apps/update-${release}`} ${former}/.maintenance
          php ${wp.tool} ${`--path=${former}`} option delete core_updater.lock > /dev/null 2>&1 || true`,
      },
    ),
    asProject(
      layout,
      {
        key: "verify-checksums",
        label: "Verify WordPress's files",
        sentence: "The files of the new WordPress are not those that belong to it.",
      },
      scriptFile(file("verify.sh"), { ...wp, version: version.version }),
      { phase: "update" },
    ),
  ];
};

const upgrade = (work: AppUpdate) => [
  asProject(
    work.layout,
    {
      key: "upgrade-database",
      label: "Upgrade the database",
      sentence: "WordPress could not upgrade its database; its own words are above.",
    },
    scriptFile(file("upgrade.sh"), wpVariables(work)),
    { phase: "activate" },
  ),
];

export const update: AppUpdater = { prepare, upgrade };
