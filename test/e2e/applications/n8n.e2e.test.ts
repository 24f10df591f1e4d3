import { after, before } from "node:test";
import { waitFor } from "../../../stage/api-client.ts";
import { lengthy } from "../../../stage/support.ts";
import { type AppSite, type Breakage, describeApp } from "../apps-suite.ts";
import { type AppsStage, appWaiting, openAppsStage } from "../apps-support.ts";

// Applications with a database in PostgreSQL, on a real server, from the npm registry.

let stage: AppsStage;
/** The cookie of the last log-in to n8n. */
let session = "";

before(async () => {
  stage = await openAppsStage("apps-postgresql", {}, { database_engine: "postgresql" });
}, lengthy);

after(() => stage?.close());

const json = (value: object): string => `-H 'Content-Type: application/json' --data-raw '${JSON.stringify(value)}'`;

/** Calls n8n's own interface as its pages do. */
const call = async <Data>(site: AppSite, path: string, cookie: string, options: string): Promise<Data> =>
  (JSON.parse(await site.curl(`/rest${path}`, `-H 'Cookie: ${cookie}' ${options}`)) as { data: Data }).data;

/** n8n takes five attempts a minute. */
const login = (site: AppSite, emailOrLdapLoginId: string, password: string): Promise<string> =>
  waitFor(
    "n8n to take another log-in",
    async () => {
      const answer = await site.curl("/rest/login", `-i ${json({ emailOrLdapLoginId, password })}`);
      return !/^HTTP\S+ 429/.test(answer) && answer;
    },
    { ...appWaiting, intervalMs: 1_000 },
  );

/** A workflow that visitors start, with a part that n8n's task runner carries out. */
const workflow = (text: string) => ({
  name: text,
  settings: {},
  nodes: [
    {
      id: "a",
      name: "Webhook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: "w1",
      parameters: { path: "kept", responseMode: "lastNode", options: {} },
    },
    {
      id: "b",
      name: "Code",
      type: "n8n-nodes-base.code",
      typeVersion: 2,
      position: [200, 0],
      parameters: { jsCode: `return [{ json: { text: "${text}" } }]` },
    },
  ],
  connections: { Webhook: { main: [[{ node: "Code", type: "main", index: 0 }]] } },
});

/** Ends a process at its first answer that is no 503: n8n has changed its tables then. */
const dies = `const { ServerResponse } = require("node:http");
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (status, ...more) {
  if (status !== 503) process.exit(1);
  return writeHead.call(this, status, ...more);
};`;

const endsEarly: Pick<Breakage, "breaks" | "mends"> = {
  breaks: ({ asUser, home }) =>
    asUser(`
      cat > shared/dies.cjs <<'DIES'
${dies}
DIES
      echo 'NODE_OPTIONS=--require=${home}/shared/dies.cjs' > shared/environment`),
  mends: ({ asUser }) => asUser("rm shared/environment shared/dies.cjs"),
};

describeApp(() => stage, {
  slug: "n8n",
  domain: "automation.example.test",
  former: "2.40.7",
  newest: "2.41.1",
  hasDatabase: true,
  inputs: { admin_email: "captain@example.com" },
  page: "/signin",
  proof: "<title>n8n",
  logIn: async (site, { admin_email: email = "", admin_password: password = "" }) => {
    const cookie = /^set-cookie: (n8n-auth=[^;]+)/im.exec(await login(site, email, password))?.[1];
    session = cookie ?? session;
    return cookie;
  },
  write: async (site, cookie, text) => {
    type Made = { id: string; versionId: string };
    const { id, versionId } = await call<Made>(site, "/workflows", cookie, json(workflow(text)));
    await call(site, `/workflows/${id}/activate`, cookie, json({ versionId }));
  },
  // Just after it was published n8n does not have it yet.
  read: (site) =>
    waitFor(
      "the workflow to answer",
      async () => {
        const body = await site.curl("/webhook/kept");
        return !body.includes("is not registered") && body;
      },
      appWaiting,
    ),
  // Each attempt that gets this far makes a release of 2 GB.
  installFailures: [{ at: "install", ...endsEarly, reason: /n8n (ended|does not)/ }],
  updateFailures: [{ at: "the new one ends after it has changed the tables", ...endsEarly }],
  linked: (site) => site.curl("/rest/settings", `-H 'Cookie: ${session}'`),
  state: ({ stage: { bash }, id }) =>
    bash(`cd / && runuser -u postgres -- psql -qAt -d n8n_${id} -c "
      SELECT count(*), max(timestamp) FROM migrations; SELECT count(*) FROM information_schema.columns"`),
});
