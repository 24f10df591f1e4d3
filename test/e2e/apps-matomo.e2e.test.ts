import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import { lengthy } from "../../stage/support.ts";
import { type AppSite, describeApp, type TestedApp } from "./apps-suite.ts";
import { type AppsStage, appWaiting, beginInstall, installEnd, openAppsStage } from "./apps-support.ts";

// Matomo on a real server. Its archive cannot be fetched on a test machine: sandbox/apps-mirror/stand-ins/matomo
// replaces it.

let stage: AppsStage;

before(async () => {
  stage = await openAppsStage("apps-matomo");
}, lengthy);

after(() => stage?.close());

/** A call of Matomo's API; values are sent as a form. */
async function call(site: AppSite, method: string, values: Record<string, string>): Promise<unknown> {
  const form = new URLSearchParams(values).toString().replaceAll("'", "%27");
  return JSON.parse(
    await site.curl(`/index.php?module=API&format=json&method=${method}`, `--data-raw '${form}'`),
  ) as unknown;
}

/** A plugin that a person installed, which runs `code` at an `occasion`: `Request` at each page, `Updates` at an update. */
const plugin = (occasion: "Request" | "Updates", code: string) => ({
  breaks: ({ asUser }: AppSite) =>
    asUser(`mkdir -p current/matomo/plugins/Faulty
      cat > current/matomo/plugins/Faulty/${occasion}.php <<'PHP'\n<?php ${code}\nPHP`),
  mends: ({ asUser }: AppSite) => asUser("rm -r current/matomo/plugins/Faulty"),
});

const matomo: TestedApp = {
  slug: "matomo",
  domain: "stats.example.test",
  former: "5.10.0",
  newest: "5.11.2",
  hasDatabase: true,
  inputs: {
    admin_username: "captain",
    admin_password: "correct horse 'battery' \"staple\" $HOME \\ &end",
    site_title: "The 'Harbour' & \"co\" $(id)",
  },
  proof: 'id="loginPage"',
  isPaused: (status, body) => status === 503 && body.startsWith("Matomo is being updated"),
  logIn: async (site, { admin_username: userLogin = "", admin_password: passwordConfirmation = "" }) => {
    const asked = { userLogin, passwordConfirmation, description: "test" };
    const { value } = (await call(site, "UsersManager.createAppSpecificTokenAuth", asked)) as { value?: string };
    return value;
  },
  write: (site, token, siteName) =>
    call(site, "SitesManager.addSite", { siteName, urls: "https://kept.example", token_auth: token }),
  read: async (site, token) => JSON.stringify(await call(site, "SitesManager.getAllSites", { token_auth: token })),
  installFailures: [
    {
      at: "download",
      breaks: async () => stage.mirror.replace("/matomo/matomo-5.10.0.tar.gz", Buffer.from("no archive")),
      mends: async () => stage.mirror.replace("/matomo/matomo-5.10.0.tar.gz", undefined),
    },
    {
      at: "configure",
      breaks: ({ asUser }) => asUser("mkdir -p shared/matomo/config.ini.php.new"),
      mends: ({ asUser }) => asUser("rmdir shared/matomo/config.ini.php.new"),
    },
  ],
  updateFailures: [
    {
      at: "the archive is not what it should be",
      breaks: async () => stage.mirror.replace("/matomo/matomo-5.11.2.tar.gz", Buffer.from("nothing")),
      mends: async () => stage.mirror.replace("/matomo/matomo-5.11.2.tar.gz", undefined),
    },
    {
      at: "a plugin fails after the tables were changed",
      ...plugin("Updates", "throw new Exception('The plugin cannot be updated.');"),
      reason: /own updater failed/,
    },
    {
      at: "the new one serves no pages",
      ...plugin("Request", "if (Piwik\\Version::VERSION === '5.11.2') { http_response_code(500); exit; }"),
    },
  ],
  state: async ({ stage: { bash }, id, home }) =>
    bash(`
      mariadb -N matomo_${id} -e "SHOW TABLES; SELECT * FROM matomo_option ORDER BY 1"
      cat ${home}/shared/matomo/config.ini.php; ls ${home}/shared/matomo`),
};

describeApp(() => stage, matomo);

describe("an installed Matomo (stand-in)", () => {
  const domain = "counts.example.test";
  let id: number;
  let home: string;

  const ask = (path: string, host = domain) => visit({ address: stage.server.address, host, path });
  const database = (statement: string) => stage.bash(`mariadb -N matomo_${id} -e "${statement}"`);

  before(async () => {
    stage.mirror.offer("matomo", ["5.10.0"]);
    const inputs = { site_title: "The 'Harbour' & \"co\" $(id)" };
    const body = { name: "Counts", domain, app_slug: "matomo", inputs };
    id = await beginInstall(stage, body);
    home = `/srv/longshore/projects/${id}`;
    const ended = await installEnd(stage, id);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
  }, lengthy);

  it("has its first website, and a finished installation", async () => {
    assert.equal(
      await database("SELECT name, main_url FROM matomo_site"),
      `The 'Harbour' & "co" $(id)\thttp://${domain}`,
    );
    assert.equal(await database("SELECT login FROM matomo_user WHERE superuser_access = 1"), "admin");
    assert.equal(
      await stage.bash(`grep -c installation_in_progress ${home}/shared/matomo/config.ini.php || true`),
      "0",
    );
    assert.equal(await stage.bash(`stat -c %a ${home}/shared/matomo/config.ini.php`), "640");
  });

  it("shows visitors its tracker and assets, and neither settings, caches nor the console", async () => {
    assert.match((await ask("/matomo.php")).body, /part of Matomo/);
    for (const path of ["matomo.js", "plugins/CoreHome/images/logo.txt", "js/piwik.js", "misc/user/index.html"]) {
      assert.equal((await ask(`/${path}`)).status, 200, path);
    }
    for (const path of [
      "config/config.ini.php",
      "config/global.ini.php",
      "core/Version.php",
      "console",
      "bootstrap.php",
    ]) {
      assert.doesNotMatch((await ask(`/${path}`)).body, /General|defined|VERSION = /, path);
    }
    assert.equal((await ask("/config/config.ini.php")).status, 404);
  });

  it("follows the project's domains", async () => {
    await stage.client("POST /api/v1/projects/{id}/domains", { params: { id }, body: { domain: "more.example.test" } });
    assert.match((await ask("/", "more.example.test")).body, /loginPage/);
    // Longshore defines the names: requests under another name are refused, even when the web server lets them through.
    await stage.bash(`sed -i /more/d ${home}/state/site-names`);
    assert.equal((await ask("/", "more.example.test")).status, 400);
  });

  it("makes its reports by a scheduled job, which knows its address", lengthy, async () => {
    const job = await waitFor(
      "the job to be set up",
      async () => {
        const { data } = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs", { params: { id } });
        return data[0]?.status === "active" && data[0];
      },
      appWaiting,
    );
    assert.equal(job.cron_expression, "5 * * * *");
    await stage.client("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", { params: { id, jobId: job.id } });
    const ran = "SELECT option_value FROM matomo_option WHERE option_name = 'LastCompletedFullArchiving'";
    const seen = await waitFor("the job to have run", async () => (await database(ran)) || false, appWaiting);
    assert.match(seen, new RegExp(`^--url=http://${domain} `));
  });
});
