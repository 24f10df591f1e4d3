import { after, before } from "node:test";
import { lengthy } from "../../../stage/support.ts";
import { type AppSite, type Breakage, describeApp } from "../apps-suite.ts";
import { type AppsStage, openAppsStage } from "../apps-support.ts";

// Ghost from the npm registry, on a real server with MariaDB.

let stage: AppsStage;

before(async () => {
  stage = await openAppsStage("apps-ghost");
}, lengthy);

after(() => stage?.close());

/** Calls Ghost's own interface as its pages do; `session` is a cookie. */
const call = (site: AppSite, path: string, options: string, session?: string): Promise<string> => {
  const cookie = session === undefined ? "" : `-H 'Cookie: ${session}'`;
  return site.curl(`/ghost/api/admin${path}`, `-H 'Origin: http://${site.domain}' ${cookie} ${options}`);
};

const json = (value: object): string => `-H 'Content-Type: application/json' --data-raw '${JSON.stringify(value)}'`;

const tables = ({ stage: { bash }, id }: AppSite): Promise<string> =>
  bash(`mariadb -N ghost_${id} -e "SELECT COUNT(*), MAX(name) FROM migrations; SELECT locked FROM migrations_lock;
    SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'ghost_${id}'"`);

/** Ends a process at its first answer that is no 503: Ghost has changed its tables then. */
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
  slug: "ghost",
  domain: "news.example.test",
  former: "6.63.0",
  newest: "6.65.0",
  hasDatabase: true,
  inputs: { site_title: "The 'Harbour' News", admin_email: "owner@example.test" },
  proof: "The &#x27;Harbour&#x27; News",
  logIn: async (site, { admin_email: username, admin_password: password }) => {
    const answer = await call(site, "/session/", `-i ${json({ username, password })}`);
    return /^set-cookie: (ghost-admin-api-session=[^;]+)/im.exec(answer)?.[1];
  },
  write: async (site, session, text) => {
    const html = `<p>${text}</p>`;
    await call(site, "/posts/?source=html", json({ posts: [{ title: "Log", html, status: "published" }] }), session);
  },
  read: (site) => site.curl("/log/"),
  installFailures: [
    {
      at: "download",
      breaks: ({ asUser }) => asUser("mkdir -p cache/apps && : > cache/apps/pnpm"),
      mends: ({ asUser }) => asUser("rm cache/apps/pnpm"),
    },
    { at: "install", ...endsEarly },
  ],
  updateFailures: [{ at: "the new one ends after it has changed the tables", ...endsEarly, reason: /ended/ }],
  linked: (site) => site.curl("/"),
  state: tables,
});
