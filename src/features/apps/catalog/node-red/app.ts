import type { App } from "../../app.ts";
import { npmVersion } from "../../npm.ts";
import { details } from "./details.ts";
import { configure, generate, install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

/** Node-RED, behind its own log-in. Its flows are files in the project's shared directory. */
export const app: App = {
  slug: "node-red",
  name: "Node-RED",
  category: "Automation",
  summary: "Flows of events between devices, APIs and services, drawn in the browser.",
  layout: "releases/<n> holds Node-RED and its packages; shared/node-red its settings and flows",
  frameworkId: 8,
  engines: [],
  needsDatabase: false,
  hasSettings: true,
  inputs: [
    {
      key: "admin_username",
      label: "User name",
      type: "text",
      required: false,
      generated: false,
      fallback: () => "admin",
      check: (answer) =>
        /^[A-Za-z0-9._@-]{1,64}$/.test(answer)
          ? undefined
          : "The user name must be 1 to 64 letters, digits or . _ - @.",
    },
    { key: "admin_password", label: "Password", type: "password", required: false, generated: true },
  ],
  versions: [
    npmVersion("node-red", "5.0.7", {
      integrity: "sha512-zO5efeTMmjzwsAoqnnXxGYE5PSSy2w7apZynPgYgBb3Vbv9JtcKKPyNFYlN3U1wDVofahnfKgr1ewVAbt/dUfQ==",
      sizeMb: 120,
      node: "22.9",
    }),
    npmVersion("node-red", "4.1.0", {
      integrity: "sha512-NebPe7dlSiGJl+AWeXNXg1NLN289n1N/i1sn6T4IRSg9/VxC59DiXf8M86eD6PBjoO5OJAo5vtnWNierNrCgSg==",
      sizeMb: 120,
      node: "18.5",
    }),
  ],
  tools: [],
  checks: [{ path: "/", contains: "Node-RED" }],
  generate,
  secrets,
  jobs: () => [],
  install: { unpack, configure, install },
  update,
  details,
};
