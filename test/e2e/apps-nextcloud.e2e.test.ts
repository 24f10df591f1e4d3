import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import { lengthy } from "../../stage/support.ts";
import { type AppSite, describeApp, type TestedApp } from "./apps-suite.ts";
import { type AppsStage, appWaiting, beginInstall, detailsOf, installEnd, openAppsStage } from "./apps-support.ts";

// Nextcloud on a real server. Its archive cannot be fetched on a test machine: sandbox/apps-mirror/stand-ins/nextcloud
// replaces it.

let stage: AppsStage;

before(async () => {
  stage = await openAppsStage("apps-nextcloud");
}, lengthy);

after(() => stage?.close());

const basic = (session: string): string => `-u '${session.replaceAll("'", `'\\''`)}'`;

const note = ({ domain }: AppSite, session: string) => `/remote.php/dav/files/${session.split(":")[0]}/${domain}.txt`;

/** An app of the store, which runs `code` at an `occasion`: `app` at each request, `update` at an upgrade. */
const storeApp = (occasion: "app" | "update", code: string) => ({
  breaks: ({ asUser }: AppSite) =>
    asUser(`mkdir -p shared/custom_apps/faulty/appinfo
      cat > shared/custom_apps/faulty/appinfo/${occasion}.php <<'PHP'\n<?php ${code}\nPHP`),
  mends: ({ asUser }: AppSite) => asUser("rm -r shared/custom_apps/faulty"),
});

const nextcloud: TestedApp = {
  slug: "nextcloud",
  domain: "cloud.example.test",
  former: "33.0.9",
  newest: "34.0.4",
  hasDatabase: true,
  inputs: { admin_username: "captain", admin_password: "correct horse 'battery' \"staple\" $HOME \\ &end" },
  proof: 'id="body-login"',
  page: "/login",
  isPaused: (status, body) => status === 503 && body.includes("Maintenance mode"),
  logIn: async (site, { admin_username: username, admin_password: password }) => {
    const session = `${username}:${password}`;
    const answer = await site.curl("/ocs/v2.php/cloud/user?format=json", basic(session));
    return answer.includes(`"id":"${username}"`) ? session : undefined;
  },
  write: (site, session, text) => site.curl(note(site, session), `${basic(session)} -X PUT --data-raw '${text}'`),
  read: (site, session) => site.curl(note(site, session), basic(session)),
  installFailures: [
    {
      at: "download",
      breaks: async () => stage.mirror.replace("/nextcloud/nextcloud-33.0.9.tar.bz2", Buffer.from("no archive")),
      mends: async () => stage.mirror.replace("/nextcloud/nextcloud-33.0.9.tar.bz2", undefined),
    },
    {
      at: "configure",
      breaks: ({ asUser }) => asUser("mkdir -p shared/config/closed/in && chmod 000 shared/config/closed"),
      mends: ({ asUser }) => asUser("chmod 700 shared/config/closed && rm -r shared/config/closed"),
    },
    {
      at: "install",
      breaks: ({ stage: { bash }, home }) => bash(`chattr +i ${home}/shared/data`),
      mends: ({ stage: { bash }, home }) => bash(`chattr -i ${home}/shared/data`),
    },
    { at: "serve", ...storeApp("app", "http_response_code(500); exit;") },
  ],
  updateFailures: [
    {
      at: "the archive is not what it should be",
      breaks: async () => stage.mirror.replace("/nextcloud/nextcloud-34.0.4.tar.bz2", Buffer.from("nothing")),
      mends: async () => stage.mirror.replace("/nextcloud/nextcloud-34.0.4.tar.bz2", undefined),
    },
    {
      at: "an app of the store fails after the tables were changed",
      ...storeApp("update", "throw new Exception('The app cannot be updated.');"),
      reason: /own updater failed/,
    },
    {
      at: "the new one serves no pages",
      ...storeApp("app", "if ($GLOBALS['OC_Version'][0] >= 34) { http_response_code(500); exit; }"),
    },
  ],
  state: async ({ stage: { bash }, id, home }) =>
    bash(`
      mariadb -N nextcloud_${id} -e 'SHOW TABLES; SELECT * FROM oc_migrations'
      grep -E "'(version|maintenance)'" ${home}/shared/config/config.php | tr -d ' '
      ls ${home}/shared/config`),
};

describeApp(() => stage, nextcloud);

describe("an installed Nextcloud (stand-in)", () => {
  const domain = "files.example.test";
  let id: number;
  let home: string;

  const connect = `--connect-to '${domain}:80:127.0.0.1:80'`;
  const ask = (path: string, host = domain) => visit({ address: stage.server.address, host, path });
  const settings = async (key: string): Promise<string> =>
    stage.bash(`cd ${home}/current/nextcloud && runuser -u project-${id} -- php -r '
      require "lib/base.php"; echo json_encode(settings()["${key}"]);'`);

  before(async () => {
    stage.mirror.offer("nextcloud", ["34.0.4"]);
    const body = { name: "Files", domain, app_slug: "nextcloud" };
    id = await beginInstall(stage, body);
    home = `/srv/longshore/projects/${id}`;
    const ended = await installEnd(stage, id);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
  }, lengthy);

  it("shows visitors neither settings, data nor libraries", async () => {
    const hidden = [
      "config/config.php",
      "data/.ncdata",
      "data/nextcloud.log",
      "lib/base.php",
      "occ",
      "console.php",
      "cron.php",
    ];
    for (const path of [...hidden, "version.php", "updater/", ".htaccess"]) {
      assert.equal((await ask(`/${path}`)).status, 404, path);
    }
    assert.equal(await stage.bash(`ls -A ${home}/current/nextcloud | grep -x data || true`), "");
    assert.equal(await stage.bash(`stat -c %a ${home}/shared/data`), "770");
    assert.equal(await stage.bash(`stat -c %a ${home}/shared/config/config.php`), "640");
  });

  it("answers at the addresses of its apps, and sends devices to calendars and contacts", async () => {
    assert.match((await ask("/apps/files/")).body, /Files – Nextcloud/);
    for (const path of ["/.well-known/carddav", "/.well-known/caldav"]) {
      const answer = await stage.bash(
        `curl -s -X PROPFIND -o /dev/null -w '%{http_code} %{redirect_url}' ${connect} http://${domain}${path}`,
      );
      assert.equal(answer, `301 http://${domain}/remote.php/dav/`);
    }
    const type = await stage.bash(
      `curl -s -o /dev/null -w '%{content_type}' ${connect} http://${domain}/core/js/main.mjs`,
    );
    assert.match(type, /^text\/javascript/);
  });

  it("keeps files whose names begin with a dot, and shows none of its own", async () => {
    const { credentials } = await detailsOf(stage, id);
    const login = `-u 'admin:${credentials.admin_password?.value}' ${connect}`;
    const url = `http://${domain}/remote.php/dav/files/admin/.hidden`;
    await stage.bash(`curl -s ${login} -X PUT --data-raw 'kept' ${url}`);
    assert.equal(await stage.bash(`curl -s ${login} ${url}`), "kept");
    const own = `${home}/current/nextcloud/core`;
    await stage.bash(`for name in shown.txt .hidden.txt; do install -o project-${id} /dev/null ${own}/$name; done`);
    const shown = async (path: string) => (await ask(`/core/${path}`)).status;
    assert.deepEqual(
      [await shown("shown.txt"), await shown(".hidden.txt"), await shown("%0a/../.hidden.txt")],
      [200, 404, 404],
    );
  });

  it("takes uploads of many megabytes, and gives a request the memory that Nextcloud asks for", async () => {
    const project = await stage.client("GET /api/v1/projects/{id}", { params: { id } });
    assert.equal(project.max_upload_mb, 10_240);
    assert.match(await stage.bash(`cat ${home}/php-fpm.conf`), /memory_limit\] = 512M/);
  });

  it("follows the project's domains, also in what it writes without a request", async () => {
    assert.equal(await settings("overwrite.cli.url"), `"http:\\/\\/${domain}"`);
    assert.equal((await ask("/login", "more.example.test")).status, 404);
    await stage.client("POST /api/v1/projects/{id}/domains", { params: { id }, body: { domain: "more.example.test" } });
    assert.equal((await ask("/login", "more.example.test")).status, 200);
    assert.equal(await settings("trusted_domains"), `["${domain}","more.example.test"]`);
  });

  it("does its own work by a scheduled job", lengthy, async () => {
    const job = await waitFor(
      "the job to be set up",
      async () => {
        const { data } = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs", { params: { id } });
        return data[0]?.status === "active" && data[0];
      },
      appWaiting,
    );
    assert.equal(job.cron_expression, "*/5 * * * *");
    await stage.client("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", { params: { id, jobId: job.id } });
    const ran = "SELECT count(*) FROM oc_appconfig WHERE configkey = 'lastcron'";
    const hasRun = async () => (await stage.bash(`mariadb -N nextcloud_${id} -e "${ran}"`)) === "1";
    await waitFor("the job to have run", hasRun, appWaiting);
  });
});
