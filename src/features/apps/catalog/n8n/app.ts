import type { App } from "../../app.ts";
import { adminEmail } from "../../inputs.ts";
import { npmVersion } from "../../npm.ts";
import { details } from "./details.ts";
import { configure, generate, install, secrets, unpack } from "./install.ts";
import { update } from "./update.ts";

/** n8n. Workflows and their runs are in its database; their files and community nodes are in the project's shared directory. */
export const app: App = {
  slug: "n8n",
  name: "n8n",
  category: "Automation",
  summary: "Workflows between services, databases and AI models, drawn in the browser.",
  layout: "releases/<n> holds n8n and its packages; shared/n8n its settings, files of workflows and community nodes",
  frameworkId: 8,
  engines: ["postgresql"],
  needsDatabase: true,
  hasSettings: true,
  inputs: [
    adminEmail("Owner's e-mail address"),
    {
      key: "admin_password",
      label: "Owner's password",
      type: "password",
      required: false,
      generated: true,
      check: (answer) =>
        answer.length <= 64 && /\d/.test(answer) && /[A-Z]/.test(answer)
          ? undefined
          : "The owner's password must have at most 64 characters, with a digit and a capital letter.",
    },
  ],
  versions: [
    npmVersion("n8n", "2.41.1", {
      integrity: "sha512-WCNHyz9ouVw5DtqJ5ug9qUekguZh1DoOJ+w1OmbGikzcgty/Rq6T5dQSHoS6FOKSNM8KTvk0u9AcHtot6TTDwA==",
      sizeMb: 2000,
      node: "24.0",
    }),
    npmVersion("n8n", "2.40.7", {
      integrity: "sha512-97XqWSkB81O9mMB4/cDl9mSG64oLipUefmDZfKOE/WKP0otvZ2y1JQhUEaz3cBjdSpzFZKwjdknRYR/zxYZNnQ==",
      sizeMb: 2000,
      node: "24.0",
    }),
  ],
  tools: [],
  // Until then it answers every request with 200 and a sentence.
  settings: { health_path: "/healthz/readiness" },
  checks: [
    { path: "/healthz/readiness", contains: '"ok"' },
    { path: "/signin", contains: "<title>n8n" },
  ],
  generate,
  secrets,
  jobs: () => [],
  install: { unpack, configure, install },
  update,
  keepsAddress: true,
  details,
};
