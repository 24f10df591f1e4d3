import { after, before } from "node:test";
import { type AppSite, type Breakage, describeApp } from "./apps-suite.ts";
import { type AppsStage, openAppsStage } from "./apps-support.ts";

// Applications that npm installs and that run as Node services, on a real server, from the npm registry.

let stage: AppsStage;

before(async () => {
  stage = await openAppsStage("apps-node");
});

after(() => stage?.close());

/** npm needs a directory where a file is. */
const blockedNpm: Pick<Breakage, "breaks" | "mends"> = {
  breaks: ({ asUser }) => asUser("mkdir -p cache/apps/npm && cd cache/apps && mv npm npm.kept && : > npm"),
  mends: ({ asUser }) => asUser("cd cache/apps && rm npm && mv npm.kept npm"),
};

/** The project's own environment has the last word. */
const wrongPort: Pick<Breakage, "breaks" | "mends"> = {
  breaks: ({ asUser }) => asUser("echo 'PORT=1' > shared/environment"),
  mends: ({ asUser }) => asUser("rm shared/environment"),
};

const json = (value: object): string => `-H 'Content-Type: application/json' --data-raw '${JSON.stringify(value)}'`;

const bearer = (token: string): string => `-H 'Authorization: Bearer ${token}'`;

const flows = ({ curl }: AppSite, token: string) => curl("/flows", bearer(token));

describeApp(() => stage, {
  slug: "node-red",
  domain: "flows.example.test",
  former: "4.1.0",
  newest: "5.0.7",
  hasDatabase: false,
  proof: "Node-RED",
  logIn: async (site, { admin_username: username, admin_password: password }) => {
    const asked = { client_id: "node-red-admin", grant_type: "password", scope: "*", username, password };
    const answer = JSON.parse(await site.curl("/auth/token", json(asked))) as { access_token?: string };
    return answer.access_token;
  },
  write: async (site, token, text) => {
    const comment = { id: "n1", type: "comment", z: "tab1", name: text, wires: [] };
    await site.curl("/flow", `${bearer(token)} ${json({ id: "tab1", label: "Kept", nodes: [comment] })}`);
  },
  read: flows,
  installFailures: [
    { at: "download", ...blockedNpm },
    {
      at: "configure",
      breaks: ({ asUser }) => asUser("mkdir -p shared/node-red/settings.js.new"),
      mends: ({ asUser }) => asUser("rmdir shared/node-red/settings.js.new"),
    },
  ],
  updateFailures: [
    { at: "npm cannot install the new one", ...blockedNpm },
    { at: "the new one does not start", ...wrongPort },
  ],
});
