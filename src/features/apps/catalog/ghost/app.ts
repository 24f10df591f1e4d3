import type { App } from "../../app.ts";
import { adminEmail, siteTitle } from "../../inputs.ts";
import { npmVersion } from "../../npm.ts";
import { details } from "./details.ts";
import { configure, generate, install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

/** Ghost. It is made for MySQL 8 and works with MariaDB. Uploads are in the project's shared directory. */
export const app: App = {
  slug: "ghost",
  name: "Ghost",
  category: "Content management",
  summary: "Publications with newsletters and members, written in the browser.",
  layout: "releases/<n> holds Ghost and its packages; shared/ghost its settings, uploads and themes",
  frameworkId: 8,
  engines: ["mariadb"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    siteTitle("Title of the site"),
    {
      key: "admin_name",
      label: "Owner's name",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "Owner",
    },
    adminEmail("Owner's e-mail address"),
    {
      key: "admin_password",
      label: "Owner's password",
      type: "password",
      required: false,
      generated: true,
      check: (answer) => (answer.length >= 10 ? undefined : "The owner's password must have at least 10 characters."),
    },
  ],
  // Before 6.63 Ghost does not run with Node 24.
  versions: [
    npmVersion("ghost", "6.65.0", {
      integrity: "sha512-D369qivOmfn4YwvBD1DljOGsHnJzBEQhBsiFnBZD+GjWrBpdZQYYNHneiQcKQVJwUom8eHWml1n5FRLQIwVFOg==",
      sizeMb: 700,
      node: "24.20",
    }),
    npmVersion("ghost", "6.63.0", {
      integrity: "sha512-wH5L52X0y+KVTuBrLIxTXiWV0Olech6DjRE+2WUjzxTJ0jduuoh8Nat12nbmoZlsXl6GE6KbFfYnzbOMc67+Vg==",
      sizeMb: 700,
      node: "24.20",
    }),
  ],
  tools: [],
  checks: [
    { path: "/", contains: "<html" },
    { path: "/ghost/api/admin/site/", contains: '"version"' },
  ],
  generate,
  secrets,
  jobs: () => [],
  install: { unpack, configure, install },
  update,
  keepsAddress: true,
  details,
};
