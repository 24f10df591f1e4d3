import { randomBytes } from "node:crypto";
import { releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { Answers, App, AppWork, Artifact } from "../../app.ts";
import { unpackArchive } from "../../archive.ts";
import { phpText } from "../../php-text.ts";
import { asProject, downloaded } from "../../steps.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

export const unpack = (work: AppWork) =>
  unpackArchive(work, { name: "WordPress", link: file("unpack.sh"), tools: work.tools });

export const configure = ({ layout }: AppWork) => [
  asProject(
    layout,
    { key: "configure", label: "Write wp-config.php", sentence: "wp-config.php could not be written." },
    scriptFile(file("configure.sh"), { shared: layout.shared }),
    { secrets: ["wp-config"], phase: "configure" },
  ),
];

export const install = (work: AppWork) => [
  asProject(
    work.layout,
    {
      key: "install",
      label: "Install WordPress",
      sentence: "WordPress could not be installed; its own words are above.",
    },
    scriptFile(file("install.sh"), {
      ...wpVariables(work),
      domain: work.domain,
      title: work.texts.site_title ?? "",
      username: work.texts.admin_username ?? "",
      email: work.texts.admin_email ?? "",
    }),
    { secrets: ["admin-password"], phase: "install" },
  ),
];

/**
 * Database and password are as before, and WordPress uses the address of the request: no setting changes. Its pages alone do not
 * prove that WordPress reaches its database, since plugins serve cached pages.
 */
export const moved: App["moved"] = ({ layout, release, domain }) => [
  asProject(
    layout,
    {
      key: "check-wordpress",
      label: "Check that WordPress finds its data",
      sentence: "WordPress does not find its data here.",
    },
    scriptFile(file("moved.sh"), { directory: releaseDirectory(layout, release), domain }),
    { phase: "check" },
  ),
];

/** Where WP-CLI and the release are. */
export const wpVariables = (work: AppWork): { tool: string; directory: string } => ({
  tool: downloaded(work.layout, wpCliOf(work)),
  directory: releaseDirectory(work.layout, work.release),
});

export const wpCliOf = ({ tools }: Pick<AppWork, "tools">): Artifact => tools[0] as Artifact;

/** DISABLE_WP_CRON: cron runs WordPress's jobs, not visitors' requests. */
export const cronJobs: App["jobs"] = ({ layout, tools }) => [
  {
    name: "WordPress cron",
    expression: "*/5 * * * *",
    command: sh`php ${downloaded(layout, wpCliOf({ tools }))} ${`--path=${layout.current}`} cron event run --due-now`
      .script,
  },
];

const saltNames = ["AUTH_KEY", "SECURE_AUTH_KEY", "LOGGED_IN_KEY", "NONCE_KEY"].flatMap((name) => [
  name,
  name.replace(/KEY$/, "SALT"),
]);

export const generate = (): Answers =>
  Object.fromEntries(saltNames.map((name) => [`salt_${name}`, randomBytes(48).toString("base64url")]));

// WordPress uses the address of the request, so new names, TLS or a move need no change here: nginx forwards only requests for
// the project's own names. Contents have the same path in all releases, since plugins store such paths in the database.
export const secrets: App["secrets"] = ({ database, answers, layout }) => {
  if (!database) throw new Error("WordPress needs a database");
  const salts = saltNames.map((name) => `define(${phpText(name)}, ${phpText(answers[`salt_${name}`] ?? "")});`);
  const config = `<?php
// Written by Longshore when WordPress was installed. Updates leave it as it is.
define('DB_NAME', ${phpText(database.name)});
define('DB_USER', ${phpText(database.username)});
define('DB_PASSWORD', ${phpText(database.password)});
define('DB_HOST', 'localhost');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
${salts.join("\n")}
$table_prefix = 'wp_';

if (preg_match('/^[a-z0-9.-]+(:[0-9]{1,5})?$/Di', $_SERVER['HTTP_HOST'] ?? '')) {
  $longshore_origin = (($_SERVER['HTTPS'] ?? '') === 'on' ? 'https://' : 'http://') . strtolower($_SERVER['HTTP_HOST']);
  define('WP_HOME', $longshore_origin);
  define('WP_SITEURL', $longshore_origin);
}
define('WP_CONTENT_DIR', ${phpText(`${layout.shared}/wp-content`)});
define('DISABLE_WP_CRON', true);
// Longshore updates WordPress itself, in a release of its own.
define('WP_AUTO_UPDATE_CORE', false);
define('CORE_UPGRADE_SKIP_NEW_BUNDLED', true);
define('FS_METHOD', 'direct');

if (!defined('ABSPATH')) {
  define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
`;
  return { "wp-config": config, "admin-password": answers.admin_password ?? "" };
};
