import type { App, AppVersion } from "../../app.ts";
import { adminEmail, siteTitle } from "../../inputs.ts";
import { details } from "./details.ts";
import { configure, cronJobs, generate, install, moved, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

const version = (number: string, sha256: string, more: Partial<AppVersion> = {}): AppVersion => ({
  version: number,
  archive: {
    file: `wordpress-${number}.tar.gz`,
    url: `https://wordpress.org/wordpress-${number}.tar.gz`,
    checksum: { algorithm: "sha256", value: sha256 },
  },
  sizeMb: 90,
  runtime: "7.4",
  ...more,
});

/** WordPress. Its archives have no verifiable signature, so their SHA-256 is pinned, and the SHA-512 of WP-CLI's phar. */
export const app: App = {
  slug: "app_cms",
  name: "WordPress",
  category: "Content management",
  summary: "Websites and blogs, written in the browser.",
  layout: "releases/<n> holds WordPress itself; wp-content and wp-config.php are shared by all releases",
  frameworkId: 3,
  engines: ["mariadb"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    siteTitle("Title of the site"),
    {
      key: "admin_username",
      label: "Administrator's user name",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "admin",
      check: (answer) =>
        /^[A-Za-z0-9 _.@-]{1,60}$/.test(answer)
          ? undefined
          : "The administrator's user name must be 1 to 60 letters, digits, spaces or . _ - @.",
    },
    adminEmail(),
    { key: "admin_password", label: "Administrator's password", type: "password", required: false, generated: true },
  ],
  versions: [
    version("7.0.1", "dc10592da9b580c7525632850e0cced371b13081853ac29afe93b5d5bb00db98"),
    version("6.9.4", "db610ad9f549e0abb5af3e3d5c6729c58d874439654cdf0afea425b2ea895f35"),
    version("6.8.5", "37f595510c48d16dede0bfa5afa29cb8af12dbf0e3d345b25c494c15f8c81d81"),
  ],
  tools: [
    {
      file: "wp-cli-2.12.0.phar",
      url: "https://github.com/wp-cli/wp-cli/releases/download/v2.12.0/wp-cli-2.12.0.phar",
      checksum: {
        algorithm: "sha512",
        value:
          "be928f6b8ca1e8dfb9d2f4b75a13aa4aee0896f8a9a0a1c45cd5d2c98605e6172e6d014dda2e27f88c98befc16c040cbb2bd1bfa121510ea5cdf5f6a30fe8832",
      },
    },
  ],
  checks: [
    { path: "/", contains: "<html" },
    { path: "/wp-login.php", contains: "wp-submit" },
  ],
  generate,
  secrets,
  jobs: cronJobs,
  install: { unpack, configure, install },
  update,
  moved,
  details,
};
