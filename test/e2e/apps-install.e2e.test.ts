import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { api, waitFor } from "../../stage/api-client.ts";
import { admin } from "../../stage/fixture.ts";
import { visit } from "../../stage/projects.ts";
import { lengthy } from "../../stage/support.ts";
import { describeApp } from "./apps-suite.ts";
import {
  type AppsStage,
  appWaiting,
  beginInstall,
  detailsOf,
  failedStep,
  installEnd,
  openAppsStage,
  requestInstall,
  retryToEnd,
  watchArguments,
} from "./apps-support.ts";

// Catalog applications on a real server: WordPress and Adminer from Debian's packages.

let stage: AppsStage;
let version: string;
let adminer: string;

before(async () => {
  stage = await openAppsStage("apps");
  adminer = stage.mirror.versions.app_dbadmin?.[0]?.version ?? "";
  version = stage.wordpress.former;
  stage.mirror.offer("app_cms", [version]);
}, lengthy);

after(() => stage?.close());

const page = async (host: string, path = "/") => visit({ address: stage.server.address, host, path });

const phpDies = "<?php if (PHP_SAPI !== 'cli') { http_response_code(500); exit; }";

describe("the installation of WordPress", () => {
  const domain = "blog.example.test";
  const password = "correct horse 'battery' \"staple\" $HOME \\ end";
  let id: number;

  it("stops at each step that fails, reports why, and starts from the top when it is retried", lengthy, async () => {
    const { mirror, client } = stage;
    const params = { id: stage.serverId };
    mirror.offer("app_cms", []);
    const inputs = { site_title: "The 'Harbour' & \"co\" $(id)", admin_username: "captain", admin_password: password };
    const body = { name: "Blog", domain, app_slug: "app_cms", inputs };
    id = await beginInstall(stage, body);
    const ended = await installEnd(stage, id);
    assert.deepEqual([ended.installation_status, failedStep(ended)?.key], [2, "requirements"]);
    mirror.offer("app_cms", [version]);

    const home = `/srv/longshore/projects/${id}`;
    const breakNginx = () => stage.bash("echo 'nonsense;' > /etc/nginx/conf.d/zz-broken.conf");
    const failures: [step: string, breaking: () => Promise<unknown>, mending: () => Promise<unknown>][] = [
      [
        "database",
        async () => {
          await client("POST /api/v1/servers/{id}/databases", { params, body: { name: `cms_${id}` } });
        },
        async () => {
          const { data } = await client("GET /api/v1/servers/{id}/databases", { params });
          const taken = data.find((each) => each.database_name === `cms_${id}`);
          assert.ok(taken);
          const database = { params: { ...params, database: taken.id } };
          await client("DELETE /api/v1/servers/{id}/databases/{database}", database);
          // The name is free once the server has removed the database; until then the installation stops there again.
          await breakNginx();
          const isFree = async () => failedStep(await retryToEnd(stage, id))?.key === "site";
          await waitFor("the name to be free", isFree, appWaiting);
        },
      ],
      ["site", breakNginx, () => stage.bash("rm /etc/nginx/conf.d/zz-broken.conf")],
      [
        "download",
        async () => mirror.replace(`/app_cms/wordpress-${version}.tar.gz`, Buffer.from("no archive")),
        async () => mirror.replace(`/app_cms/wordpress-${version}.tar.gz`, undefined),
      ],
      [
        "configure",
        () => stage.bash(`mkdir -p ${home}/shared/wp-config.php.new/in-the-way`),
        () => stage.bash(`rm -r ${home}/shared/wp-config.php.new`),
      ],
      [
        "install",
        async () =>
          mirror.replace("/app_cms/wp-cli-2.12.0.phar", Buffer.from("<?php fwrite(STDERR, 'out of order'); exit(1);")),
        async () => mirror.replace("/app_cms/wp-cli-2.12.0.phar", undefined),
      ],
      [
        "serve",
        () =>
          stage.bash(
            `mkdir -p ${home}/shared/wp-content/mu-plugins; echo '${phpDies.replaceAll("'", `'\\''`)}' > ${home}/shared/wp-content/mu-plugins/die.php`,
          ),
        () => stage.bash(`rm -r ${home}/shared/wp-content/mu-plugins`),
      ],
    ];
    for (const [step, breaking, mending] of failures) {
      await breaking();
      const failed = await retryToEnd(stage, id);
      assert.equal(failed.installation_status, 2, step);
      assert.equal(failedStep(failed)?.key, step, JSON.stringify(failed.steps));
      assert.match(failedStep(failed)?.detail ?? "", /\w+/, step);
      assert.doesNotMatch(JSON.stringify(failed.steps), /correct horse/, step);
      await mending();
    }
  });

  it("ends with a site that answers, and the version that WordPress reports", lengthy, async () => {
    const watch = await watchArguments(stage, [password]);
    const ended = await retryToEnd(stage, id);
    const { looks, seen } = await watch.stop();
    assert.equal(seen, "");
    assert.ok(looks > 0, `${looks}`);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
    assert.equal(ended.app_version, version);
    assert.deepEqual([...new Set(ended.steps.map(({ status }) => status))], ["completed"]);
    const { status, body } = await page(domain);
    assert.equal(status, 200);
    assert.match(body, /<title>The &#039;Harbour&#039; &amp; &quot;co&quot; \$\(id\)<\/title>/);
  });

  it("used one database for all attempts", async () => {
    const databases = await stage.bash("mariadb -N -e 'SHOW DATABASES' | grep -c '^cms_'");
    assert.equal(databases, "1");
    const { database } = await detailsOf(stage, id);
    assert.equal(database?.name, `cms_${id}`);
    const users = await stage.bash(`mariadb -N cms_${id} -e 'SELECT user_login FROM wp_users'`);
    assert.equal(users, "captain");
  });

  it("shows credentials that log in", async () => {
    const { credentials, admin_url: url } = await detailsOf(stage, id);
    assert.equal(credentials.admin_password?.value, password);
    assert.equal(credentials.admin_password?.secret, true);
    assert.equal(url, `http://${domain}/wp-admin/`);
    const form = new URLSearchParams({ log: "captain", pwd: password, testcookie: "1" }).toString();
    const answer = await stage.bash(
      `curl -s -o /dev/null -w '%{http_code} %{redirect_url}' -H 'Host: ${domain}' -b 'wordpress_test_cookie=WP%20Cookie%20check' ` +
        `--data-raw '${form.replaceAll("'", "%27")}' http://127.0.0.1/wp-login.php`,
    );
    assert.match(answer, /^302 http:\/\/blog\.example\.test\/wp-admin\//);
  });

  it("leaves no password in logs, journals, plans or arguments", async () => {
    const { database } = await detailsOf(stage, id);
    const logs = await readFile(stage.platform.logFile, "utf8");
    for (const secret of ["correct horse", database?.password ?? "?"]) {
      assert.ok(!logs.includes(secret), "the platform's log");
      // The settings of WordPress itself contain the password of the database.
      const found = await stage.bash(
        `grep -rlF -- '${secret}' /var/lib/longshore /var/log /run/longshore /proc/[0-9]*/cmdline 2> /dev/null | grep -v "/proc/$$/" | grep -v '^/proc/self' || true; journalctl --no-pager | grep -cF -- '${secret}' || true`,
      );
      const lines = found.split("\n").filter((line) => !line.startsWith("/proc/"));
      assert.deepEqual(lines, ["0"]);
    }
  });

  it("runs WordPress's own jobs by cron, and not by visitors", lengthy, async () => {
    const job = await waitFor(
      "the job to be set up",
      async () => {
        const { data } = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs", { params: { id } });
        return data[0]?.status === "active" && data[0];
      },
      appWaiting,
    );
    const params = { id, jobId: job.id };
    await stage.client("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", { params });
    await waitFor(
      "WordPress's jobs to have run",
      async () => {
        const { data } = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log", { params });
        return /Executed a total of \d+ cron event/.test(data.lines.join("\n"));
      },
      appWaiting,
    );
  });

  it("is a project: maintenance, domains, and no deployments", async () => {
    const { client } = stage;
    await client("POST /api/v1/projects/{id}/maintenance/toggle", { params: { id } });
    assert.equal((await page(domain)).status, 503);
    await client("POST /api/v1/projects/{id}/maintenance/toggle", { params: { id } });
    await client("POST /api/v1/projects/{id}/domains", { params: { id }, body: { domain: "second.example.test" } });
    const second = await page("second.example.test");
    assert.equal(second.status, 200);
    // The links use the requested name.
    assert.match(second.body, /http:\/\/second\.example\.test\//);
    const deploying = await client.refusal("POST /api/v1/deployments", { body: { project_ids: [id] } });
    assert.equal(deploying.status, 422);
    const retrying = await client.refusal("POST /api/v1/projects/{id}/install/retry", { params: { id } });
    assert.equal(retrying.status, 422);
  });

  it("shows a second organization nothing", async () => {
    const { dataDirectory, url } = stage.platform;
    await admin(dataDirectory, ["user", "--email", "eve@example.com", "--name", "Eve", "--organization", "Other"]);
    const { token } = await admin(dataDirectory, [
      "token",
      "--email",
      "eve@example.com",
      "--name",
      "t",
      "--permissions",
      "*",
    ]);
    const eve = api({ url, token: token as string });
    const project = { params: { id } };
    const server = { params: { id: stage.serverId } };
    const listed = await stage.client("GET /api/v1/servers/{id}/databases", server);
    const own = listed.data.find(({ database_name: name }) => name === `cms_${id}`);
    assert.ok(own);
    const database = { params: { ...server.params, database: own.id } };
    const answers = await Promise.all([
      eve.refusal("GET /api/v1/servers/{id}/apps", server),
      eve.refusal("GET /api/v1/projects/{id}/install-steps", project),
      eve.refusal("GET /api/v1/projects/{id}/app", project),
      eve.refusal("GET /api/v1/servers/{id}/databases", server),
      eve.refusal("GET /api/v1/servers/{id}/databases/{database}", database),
      eve.refusal("GET /api/v1/servers/{id}/databases/{database}/connection", database),
      eve.refusal("GET /api/v1/servers/{id}/databases/{database}/users", database),
      eve.refusal("GET /api/v1/servers/{id}/databases/{database}/dump", database),
      eve.refusal("POST /api/v1/projects/{id}/install/retry", project),
      eve.refusal("POST /api/v1/projects/{id}/app/update", project),
      eve.refusal("POST /api/v1/servers/{id}/databases/{database}/password", { ...database, body: {} }),
      eve.refusal("POST /api/v1/servers/{id}/databases", { ...server, body: { name: "eves" } }),
      eve.refusal("DELETE /api/v1/servers/{id}/databases/{database}", database),
    ]);
    for (const { status, body } of answers) assert.equal(status, 404, body.message);
    const { status } = await eve.refusal("POST /api/v1/projects/install", {
      body: { name: "Eve's", domain: "eve.example.test", server_id: stage.serverId, app_slug: "app_cms" },
    });
    assert.equal(status, 422);
    assert.doesNotMatch(await stage.bash("mariadb -N -e 'SHOW DATABASES'"), /eve/);
  });

  it("gives a name that two want at one instant to one of them", async () => {
    const wanted = ["One", "Two"].map((name) =>
      requestInstall(stage, { name, domain: "wanted.example.test", app_slug: "app_dbadmin" }),
    );
    const answers = await Promise.all(wanted);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    const same = ["a", "b"].map((name) =>
      requestInstall(stage, { name: "Twin", domain: `${name}.example.test`, app_slug: "app_dbadmin" }),
    );
    assert.deepEqual((await Promise.all(same)).map(({ status }) => status).sort(), [201, 422]);
  });

  it("is deleted together with its database", lengthy, async () => {
    await stage.client("DELETE /api/v1/project/{id}", { params: { id } });
    const left = `
      ls -d /srv/longshore/projects/${id} || true
      getent passwd project-${id} || true
      mariadb -N -e 'SHOW DATABASES' | grep cms_${id} || true
      mariadb -N -e "SELECT user FROM mysql.user WHERE user = 'cms_${id}'"
      ls /etc/nginx/sites-enabled | grep 'project-${id}.conf' || true`;
    const isGone = async () => (await stage.bash(left)) === "";
    await waitFor("everything to be gone", isGone, appWaiting);
    assert.equal((await page(domain)).status, 404);
  });
});

// Visitors without the password of the site see only the page of its web server.
describeApp(() => stage, {
  slug: "app_dbadmin",
  domain: "databases.example.test",
  get former() {
    return adminer;
  },
  hasDatabase: false,
  proof: "401 Authorization Required",
  logIn: async ({ curl }, { username, password }) => {
    const session = `-u '${username}:${password}'`;
    return (await curl("/", `-L ${session}`)).includes("Adminer") ? session : undefined;
  },
  // In a database of the server, which Adminer opens with the password of its user.
  write: async ({ stage: { bash, client, serverId } }, _, text) => {
    await client("POST /api/v1/servers/{id}/databases", { params: { id: serverId }, body: account });
    const create = `mariadb ${account.name} <<< 'CREATE TABLE \`${text}\` (id INT)' 2> /dev/null`;
    await bash(`for ((tries = 0; tries < 300; tries++)); do if ${create}; then exit; fi; sleep 0.2; done; exit 1`);
  },
  read: async ({ curl }, session) => {
    const options = `-L -c /root/adminer-cookies -b /root/adminer-cookies ${session}`;
    const [, token = ""] = /name='token' value='([\d:]+)'/.exec(await curl("/adminer/", options)) ?? [];
    const { name, password } = account;
    const fields = { driver: "server", server: "localhost", username: name, password, db: name };
    const form = Object.entries(fields).map(([key, value]) => `--data-urlencode 'auth[${key}]=${value}'`);
    return curl("/adminer/", `${options} --data 'token=${token}' ${form.join(" ")}`);
  },
  installFailures: [
    {
      at: "download",
      breaks: async ({ stage: { mirror } }) => mirror.replace(adminerArchive(), Buffer.from("no archive")),
      mends: async ({ stage: { mirror } }) => mirror.replace(adminerArchive(), undefined),
    },
  ],
  updateFailures: [],
});

const account = { name: "opened_by_adminer", password: "opened-by-adminer-1" };

const adminerArchive = () => `/app_dbadmin/adminer-${adminer}.tar.gz`;
