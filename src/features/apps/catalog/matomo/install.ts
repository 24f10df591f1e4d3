import { randomBytes } from "node:crypto";
import { type ProjectLayout, releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { unpackArchive } from "../../archive.ts";
import { phpText } from "../../php-text.ts";
import { asProject } from "../../steps.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

// A separate directory, since Matomo reports unknown files beside its own.
const folder = "matomo";

export const matomoDirectory = ({ layout, release }: Pick<AppWork, "layout" | "release">): string =>
  `${releaseDirectory(layout, release)}/${folder}`;

/** Exists during an update: the directory of the only release that may answer. */
export const updatingFile = ({ shared }: ProjectLayout): string => `${shared}/matomo/updating`;

export const unpack = (work: AppWork) =>
  unpackArchive(work, {
    name: "Matomo",
    link: file("unpack.sh"),
    variables: { bootstrap: bootstrap(work.layout) },
    into: folder,
  });

export const configure = ({ layout }: AppWork) => [
  asProject(
    layout,
    { key: "configure", label: "Write config.ini.php", sentence: "config.ini.php could not be written." },
    scriptFile(file("configure.sh"), { shared: layout.shared }),
    { secrets: ["matomo-config"], phase: "configure" },
  ),
];

export const install = (work: AppWork) => [
  asProject(
    work.layout,
    {
      key: "install",
      label: "Install Matomo",
      sentence: "Matomo could not be installed; its own words are above.",
    },
    scriptFile(file("install.sh"), {
      directory: matomoDirectory(work),
      names: work.layout.names,
      username: work.texts.admin_username ?? "",
      email: work.texts.admin_email ?? "",
      title: work.texts.site_title ?? "",
    }),
    { secrets: ["admin-password"], phase: "install", timeoutSeconds: 1800 },
  ),
];

/** Cron makes the reports, not the visit of a person who opens them. */
export const cronJobs: App["jobs"] = ({ layout }) => [
  {
    name: "Matomo archiving",
    expression: "5 * * * *",
    command:
      sh`php -d memory_limit=512M ${`${layout.current}/${folder}/console`} core:archive --url=$(head -n 1 ${layout.names})`
        .script,
  },
];

export const generate = (): Answers => ({ salt: randomBytes(16).toString("hex") });

// Matomo decodes the values of its settings as HTML.
const ini = (text: string): string =>
  `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`;

// bootstrap.php compares the address with the project's names: a list in this file would become outdated.
export const secrets: App["secrets"] = ({ database, answers }) => {
  if (!database) throw new Error("Matomo needs a database");
  const config = `; <?php exit; ?> DO NOT REMOVE THIS LINE
[database]
host = "localhost"
username = ${ini(database.username)}
password = ${ini(database.password)}
dbname = ${ini(database.name)}
tables_prefix = "matomo_"
charset = "utf8mb4"

[General]
salt = ${ini(answers.salt ?? "")}
enable_trusted_host_check = 0
enable_browser_archiving_triggering = 0
enable_auto_update = 0
installation_in_progress = 1
`;
  return { "matomo-config": config, "admin-password": answers.admin_password ?? "" };
};

// Matomo's pages, tracker and console read this file, if it exists, before anything else.
const bootstrap = (layout: ProjectLayout): string => `<?php
// Written by Longshore.
(static function (): void {
  // While Longshore updates Matomo, the release that is made works, and the former one rests.
  $updating = @file(${phpText(updatingFile(layout))}, FILE_IGNORE_NEW_LINES) ?: [__DIR__];
  if ($updating[0] !== __DIR__) {
    if (PHP_SAPI !== 'cli') {
      http_response_code(503);
      header('Retry-After: 120');
    }
    exit("Matomo is being updated. Please come back in some minutes.\\n");
  }
  $names = array_slice(@file(${phpText(layout.names)}, FILE_IGNORE_NEW_LINES) ?: [], 1);
  $host = preg_replace('/:\\\\d+$/', '', strtolower($_SERVER['HTTP_HOST'] ?? ''));
  if (PHP_SAPI !== 'cli' && !in_array($host, $names, true)) {
    http_response_code(400);
    exit("This name does not serve Matomo.\\n");
  }
})();
`;
