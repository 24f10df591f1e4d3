import type { App, AppVersion } from "../../app.ts";
import { adminEmail, decodedEntity } from "../../inputs.ts";
import { details } from "./details.ts";
import { configure, cronJobs, generate, install, moved, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

const version = (number: string, sha256: string): AppVersion => ({
  version: number,
  archive: {
    file: `nextcloud-${number}.tar.bz2`,
    url: `https://download.nextcloud.com/server/releases/nextcloud-${number}.tar.bz2`,
    checksum: { algorithm: "sha256", value: sha256 },
  },
  sizeMb: 1000,
  runtime: "8.2",
});

/** Nextcloud. The origin stores its checksums beside the archives, so these are copied from a distribution that packages them. */
export const app: App = {
  slug: "nextcloud",
  name: "Nextcloud",
  category: "Files and collaboration",
  summary: "Files, calendars and contacts, shared and in sync on all devices.",
  layout:
    "releases/<n>/nextcloud holds Nextcloud itself; config, data and custom_apps are in shared; " +
    "the web server sees what releases/<n>/.longshore/public links to",
  frameworkId: 4,
  engines: ["mariadb"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    {
      key: "admin_username",
      label: "Administrator's user name",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "admin",
      check: (answer) =>
        /^[A-Za-z0-9_@][A-Za-z0-9 _.@-]{0,62}[A-Za-z0-9_.@-]$|^[A-Za-z0-9]$/.test(answer)
          ? undefined
          : "The administrator's user name must be 1 to 64 letters, digits, spaces or . _ - @.",
    },
    adminEmail(),
    {
      key: "admin_password",
      label: "Administrator's password",
      type: "password",
      required: false,
      generated: true,
      check: decodedEntity("administrator's password"),
    },
  ],
  versions: [
    version("34.0.4", "00f226e6364f96e0918ab06157158f66601b8cedc25af777f5ee5a3056f42b83"),
    version("33.0.9", "f331c1041d027e6588526d2a00ce42bc70a9622eab5871c0be9177252cf77423"),
  ],
  tools: [],
  settings: { max_memory: "512M" },
  siteSettings: { max_upload_mb: 10_240 },
  isUpdatedStepwise: true,
  checks: [
    { path: "/status.php", contains: '"installed":true,"maintenance":false,"needsDbUpgrade":false' },
    // Also when another service signs people in.
    { path: "/login?direct=1", contains: 'id="body-login"' },
  ],
  generate,
  secrets,
  jobs: cronJobs,
  install: { unpack, configure, install },
  update,
  moved,
  details,
};
