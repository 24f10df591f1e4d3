import type { App, AppVersion } from "../../app.ts";
import { adminEmail, decodedEntity, siteTitle } from "../../inputs.ts";
import { details } from "./details.ts";
import { configure, cronJobs, generate, install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

const version = (number: string, sha256: string): AppVersion => ({
  version: number,
  archive: {
    file: `matomo-${number}.tar.gz`,
    url: `https://builds.matomo.org/matomo-${number}.tar.gz`,
    checksum: { algorithm: "sha256", value: sha256 },
  },
  sizeMb: 150,
  runtime: "7.2",
});

/** Matomo. Its checksums are copied from a distribution that packages it. */
export const app: App = {
  slug: "matomo",
  name: "Matomo",
  category: "Analytics",
  summary: "Statistics of websites' visitors, on a server of your own.",
  layout:
    "releases/<n>/matomo holds Matomo itself; config.ini.php and misc/user are in shared/matomo; " +
    "the web server sees what releases/<n>/.longshore/public links to",
  frameworkId: 4,
  engines: ["mariadb"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    siteTitle("Name of the first website"),
    {
      key: "admin_username",
      label: "Administrator's user name",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "admin",
      check: (answer) =>
        /^[A-Za-z0-9_.@-]{2,100}$/.test(answer)
          ? undefined
          : "The administrator's user name must be 2 to 100 letters, digits or . _ - @.",
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
    version("5.11.2", "ceb9c6111fabce8541efea22548bd30c602e4067b825fc29fbc6b2b6229b56f1"),
    version("5.10.0", "8bb9d1411636800ccc42644d19a92cab8079d7a32c42e5d065bce5114584b10c"),
  ],
  tools: [],
  settings: { max_memory: "512M" },
  checks: [
    { path: "/index.php?module=Login", contains: 'id="loginPage"' },
    { path: "/matomo.php", contains: "Matomo" },
  ],
  generate,
  secrets,
  jobs: cronJobs,
  install: { unpack, configure, install },
  update,
  details,
};
