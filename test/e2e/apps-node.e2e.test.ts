import { after, before } from "node:test";
import { lengthy } from "../../stage/support.ts";
import { type AppSite, type Breakage, describeApp } from "./apps-suite.ts";
import { type AppsStage, openAppsStage } from "./apps-support.ts";

// Applications that npm installs and that run as Node services, on a real server, from the npm registry.

let stage: AppsStage;

before(async () => {
  stage = await openAppsStage("apps-node");
}, lengthy);

after(() => stage?.close());

/** There is a file where npm needs a directory. */
const blockedNpm: Pick<Breakage, "breaks" | "mends"> = {
  breaks: ({ asUser }) => asUser("mkdir -p cache/apps/npm && cd cache/apps && mv npm npm.kept && : > npm"),
  mends: ({ asUser }) => asUser("cd cache/apps && rm npm && mv npm.kept npm"),
};

/** The project's own environment takes precedence. */
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

describeApp(() => stage, {
  slug: "directus",
  domain: "data.example.test",
  former: "12.3.1",
  newest: "12.4.0",
  hasDatabase: true,
  inputs: { project_name: "The 'Harbour' data", admin_email: "captain@example.com" },
  page: "/admin/login",
  proof: "Directus",
  logIn: async (site, { admin_email: email, admin_password: password }) => {
    const answer = JSON.parse(await site.curl("/auth/login", json({ email, password }))) as {
      data?: { access_token: string };
    };
    return answer.data?.access_token;
  },
  write: (site, token, text) => site.curl("/files", `${bearer(token)} -F 'title=${text}' -F 'file=@/etc/os-release'`),
  read: async (site, token) => {
    const files = await site.curl("/files?fields=id,title", bearer(token));
    const { data } = JSON.parse(files) as { data: { id: string }[] };
    // The upload is there as well.
    return `${files} ${await site.curl(`/assets/${data[0]?.id}`, `-f ${bearer(token)}`)}`;
  },
  linked: (site) => site.curl("/server/specs/oas"),
  installFailures: [
    {
      at: "configure",
      breaks: ({ asUser }) => asUser("mkdir -p shared/directus/config.json.new"),
      mends: ({ asUser }) => asUser("rmdir shared/directus/config.json.new"),
    },
  ],
  updateFailures: [{ at: "the new one does not start on the changed tables", ...wrongPort }],
  state: ({ stage: { bash }, id }) =>
    bash(`mariadb -N directus_${id} -e "SELECT COUNT(*), MAX(version) FROM directus_migrations;
      SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'directus_${id}'"`),
});
