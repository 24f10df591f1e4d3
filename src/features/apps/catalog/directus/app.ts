import type { App } from "../../app.ts";
import { adminEmail } from "../../inputs.ts";
import { npmVersion } from "../../npm.ts";
import { details } from "./details.ts";
import { configure, generate, install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

/** Directus. Uploads and extensions are in the project's shared directory. */
export const app: App = {
  slug: "directus",
  name: "Directus",
  category: "Data",
  summary: "An API and an editor for the tables of a database.",
  layout: "releases/<n> holds Directus and its packages; shared/directus its settings, uploads and extensions",
  frameworkId: 8,
  engines: ["mariadb", "postgresql"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    {
      key: "project_name",
      label: "Name of the project",
      type: "text",
      required: false,
      generated: false,
      fallback: ({ name }) => name,
    },
    adminEmail(),
    { key: "admin_password", label: "Administrator's password", type: "password", required: false, generated: true },
  ],
  versions: [
    npmVersion("directus", "12.4.0", {
      integrity: "sha512-VneBvfElkhR4NNjpF+KwY6pHmTojMO4Mxq/KyHSVjbhMtX2da2/ErqnkpDrujHLOI0BeOHsjABBdp/K8oa8S9g==",
      sizeMb: 700,
      node: "22.0",
    }),
    npmVersion("directus", "12.3.1", {
      integrity: "sha512-Fdi7OgasNt81zmu9Uk2mn9eSEanc94zjCIHBCnEPjP7+AEzoV/Dg4XKFcuDhIStc2pFOnVwMu4H+Hc8BmshA0w==",
      sizeMb: 700,
      node: "22.0",
    }),
  ],
  tools: [],
  checks: [
    { path: "/server/ping", contains: "pong" },
    { path: "/admin/login", contains: "Directus" },
  ],
  generate,
  secrets,
  jobs: () => [],
  install: { unpack, configure, install },
  update,
  keepsAddress: true,
  details,
};
