import { type ProjectLayout, releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { unpackArchive } from "../../archive.ts";
import { phpText } from "../../php-text.ts";
import { asProject } from "../../steps.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

// A separate directory, since Nextcloud reports unknown files beside its own.
const folder = "nextcloud";

export const serverDirectory = ({ layout, release }: Pick<AppWork, "layout" | "release">): string =>
  `${releaseDirectory(layout, release)}/${folder}`;

/** Exists during an update: the directory of the only release that is not in maintenance mode, and the old version. */
export const updatingFile = ({ shared }: ProjectLayout): string => `${shared}/config/updating`;

export const unpack = (work: AppWork) =>
  unpackArchive(work, { name: "Nextcloud", link: file("unpack.sh"), into: folder });

export const configure = (work: AppWork) => [
  asProject(
    work.layout,
    {
      key: "configure",
      label: "Write longshore.config.php",
      sentence: "longshore.config.php could not be written.",
    },
    scriptFile(file("configure.sh"), { shared: work.layout.shared, settings: settings(work.layout) }),
    { phase: "configure" },
  ),
];

export const install = (work: AppWork) => {
  const { layout, texts, database } = work;
  if (!database) throw new Error("Nextcloud needs a database");
  return [
    asProject(
      layout,
      {
        key: "install",
        label: "Install Nextcloud",
        sentence: "Nextcloud could not be installed; its own words are above.",
      },
      scriptFile(file("install.sh"), {
        directory: serverDirectory(work),
        data: `${layout.shared}/data`,
        database: database.name,
        account: database.username,
        username: texts.admin_username ?? "",
        email: texts.admin_email ?? "",
      }),
      { secrets: ["admin-password", "database-password"], phase: "install", timeoutSeconds: 1800 },
    ),
  ];
};

/** Paths, database and password are as before, and the address comes from the site: no setting changes. */
export const moved: App["moved"] = (work) => [
  asProject(
    work.layout,
    {
      key: "check-nextcloud",
      label: "Check that Nextcloud finds its data",
      sentence: "Nextcloud does not find its data here.",
    },
    scriptFile(file("moved.sh"), { directory: serverDirectory(work) }),
    { phase: "check" },
  ),
];

export const cronJobs: App["jobs"] = ({ layout }) => [
  {
    name: "Nextcloud cron",
    expression: "*/5 * * * *",
    command: sh`php -d memory_limit=512M -f ${`${layout.current}/${folder}/cron.php`}`.script,
  },
];

export const generate = (): Answers => ({});

export const secrets: App["secrets"] = ({ answers }) => ({ "admin-password": answers.admin_password ?? "" });

// Nextcloud merges every *.config.php into its settings, after its own config.php. These depend on the current project at each
// request: its domains, and the release that reads them.
const settings = (layout: ProjectLayout): string => `<?php
// Written by Longshore when Nextcloud was installed. These settings come before those of config.php.
$CONFIG = (static function (): array {
  $names = @file(${phpText(layout.names)}, FILE_IGNORE_NEW_LINES) ?: ['http://localhost'];
  $config = [
    'overwrite.cli.url' => array_shift($names),
    'trusted_domains' => $names,
    'htaccess.IgnoreFrontController' => true,
    'datadirectory' => ${phpText(`${layout.shared}/data`)},
    'apps_paths' => [
      ['path' => OC::$SERVERROOT . '/apps', 'url' => '/apps', 'writable' => false],
      ['path' => ${phpText(`${layout.shared}/custom_apps`)}, 'url' => '/custom_apps', 'writable' => true],
    ],
    'memcache.local' => '\\\\OC\\\\Memcache\\\\APCu',
    'setup_create_db_user' => false,
    // Longshore updates Nextcloud itself, in a release of its own.
    'upgrade.disable-web' => true,
    'updatechecker' => false,
  ];
  // While it does, the release that is made works, and the former one answers as in maintenance and writes nothing.
  $updating = @file(${phpText(updatingFile(layout))}, FILE_IGNORE_NEW_LINES) ?: [OC::$SERVERROOT];
  if ($updating[0] !== OC::$SERVERROOT) {
    $config += ['maintenance' => true, 'version' => $updating[1], 'config_is_read_only' => true];
  }
  return $config;
})();
`;
