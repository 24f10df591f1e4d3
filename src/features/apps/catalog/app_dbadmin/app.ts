import type { App } from "../../app.ts";
import { details } from "./details.ts";
import { install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

/** Adminer: one PHP file, behind a password of the site. */
export const app: App = {
  slug: "app_dbadmin",
  name: "Adminer",
  category: "Database administration",
  summary: "The server's databases in the browser, behind a password.",
  layout: "releases/<n> holds Adminer's one file; the web server asks for a password before it",
  frameworkId: 4,
  engines: ["mariadb", "postgresql"],
  needsDatabase: false,
  hasSettings: false,
  inputs: [
    {
      key: "username",
      label: "User name that the site asks for",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "admin",
      check: (answer) =>
        /^[A-Za-z0-9._@-]{1,64}$/.test(answer)
          ? undefined
          : "The user name must be 1 to 64 letters, digits or . _ - @.",
    },
    { key: "password", label: "Password that the site asks for", type: "password", required: false, generated: true },
  ],
  versions: [
    {
      version: "5.4.1",
      archive: {
        file: "adminer-5.4.1.php",
        url: "https://github.com/vrana/adminer/releases/download/v5.4.1/adminer-5.4.1.php",
        checksum: {
          algorithm: "sha256",
          value: "3f65364b4cc96b5e4cae1b3e448b7b6fa42b0da1eeba78bed9b3774ade830fce",
        },
      },
      sizeMb: 1,
      runtime: "7.4",
    },
  ],
  tools: [],
  basicAuth: { username: "username", password: "password" },
  checks: [{ path: "/", contains: "Adminer" }],
  generate: () => ({}),
  secrets,
  jobs: () => [],
  install: { unpack, configure: () => [], install },
  update,
  details,
};
