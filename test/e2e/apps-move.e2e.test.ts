import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DeploymentReply } from "../../contract/types.ts";
import { downServer } from "../../sandbox/sandbox.ts";
import { logTail, waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import { endOf, lengthy, type Place, secondServer } from "../../stage/support.ts";
import {
  type AppsStage,
  appWaiting,
  beginInstall,
  detailsOf,
  installEnd,
  openAppsStage,
  updateToEnd,
} from "./apps-support.ts";

// Catalog applications that are moved between two servers, while visitors arrive.

let stage: AppsStage;
let east: Place;
let west: Place;

before(async () => {
  // The last copy and the start of an application may take a slow machine longer than visitors should wait.
  stage = await openAppsStage("apps-move", { LONGSHORE_MOVE_SILENCE_SECONDS: "300" });
  stage.mirror.offer("app_cms", [stage.wordpress.former]);
  stage.mirror.offer("node-red", ["4.1.0"]);
  stage.mirror.offer("directus", ["12.4.0"]);
  east = { server: stage.server, id: stage.serverId, bash: stage.bash };
  west = await secondServer(stage, "west");
}, lengthy);

after(async () => {
  if (west) await downServer(west.server.name);
  await stage?.close();
});

async function install(slug: string, domain: string, inputs = {}): Promise<number> {
  const id = await beginInstall(stage, { name: slug, domain, app_slug: slug, inputs });
  const ended = await installEnd(stage, id);
  assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
  return id;
}

async function move(id: number, to: Place): Promise<DeploymentReply> {
  const request = { params: { id }, body: { server_id: to.id } };
  return endOf(stage, (await stage.client("POST /api/v1/projects/{id}/move", request)).deployment_id);
}

const projectOf = (id: number) => stage.client("GET /api/v1/projects/{id}", { params: { id } });

const ask = ({ server }: Place, host: string, path = "/") => visit({ address: server.address, host, path });

/** Everything that an application may have on a server, besides a site that forwards: files, user, units, site, cron, databases. */
const leftoversOn = ({ bash }: Place, id: number): Promise<string> =>
  bash(`
    ls -d /srv/longshore/projects/${id} /usr/local/lib/longshore/move-* 2> /dev/null || true
    find /etc /run/longshore-php -name '*longshore-project-${id}*' -o -name '${id}.sock' -o -name '${id}.nft' 2> /dev/null |
      if grep -qs 'written for a project that has moved' /etc/nginx/sites-enabled/longshore-project-${id}.conf; then grep -v /etc/nginx; else cat; fi || true
    getent passwd project-${id} project-${id}-git || true
    grep longshore-move /root/.ssh/authorized_keys || true
    systemctl list-units --all --no-legend --plain 'longshore-project-${id}@*' 'longshore-project-${id}-*'
    mariadb -Ne "show databases like '%\\_${id}'; select User from mysql.user where User like '%\\_${id}'"`);

const assertNothingOn = (place: Place, id: number): Promise<unknown> =>
  waitFor("nothing to be left of it", async () => (await leftoversOn(place, id)) === "", appWaiting).catch(async () =>
    assert.equal(await leftoversOn(place, id), ""),
  );

/** A visitor whose DNS leads to the first server, which forwards once the application is on another one. */
function startVisitor(domain: string, place: Place, isRight: (body: string) => boolean) {
  const wrong: string[] = [];
  let served = 0;
  let held = 0;
  let heldMs = 0;
  let isStopped = false;
  let isForwarded = false;
  const walk = async () => {
    let heldAt = 0;
    while (!isStopped) {
      const { status, body } = await ask(place, domain).catch((error: unknown) => ({ status: 0, body: String(error) }));
      if (status === 200 && isRight(body)) {
        served += 1;
        isForwarded = held > 0;
      } else if (status === 503 && body.includes("Back in a moment")) {
        held += 1;
        heldAt ||= performance.now();
        heldMs = performance.now() - heldAt;
      } else wrong.push(`${place.server.name} ${status}: ${body.slice(0, 200)}`);
    }
  };
  const walking = walk();
  const stop = async () => {
    isStopped = true;
    await walking;
    return { served, held, heldMs, wrong };
  };
  const forwarded = () => waitFor("the visitor to be forwarded", async () => isForwarded, appWaiting);
  return { forwarded, stop };
}

describe("a move of WordPress", () => {
  const domain = "blog.example.test";
  const password = "correct horse 'battery' staple";
  let id: number;
  let post: string;

  const asProject = ({ bash }: Place, php: string) =>
    bash(`cd / && runuser -u project-${id} -- php -r '
      require "/srv/longshore/projects/${id}/current/wp-load.php"; ${php}'`);

  /** The post, the upload and the content of the database exist, and the displayed account can log in. */
  async function assertServedBy(place: Place): Promise<void> {
    assert.match((await ask(place, domain, `/?p=${post}`)).body, /Ships &amp; harbours, as written/);
    assert.deepEqual(await ask(place, domain, "/wp-content/uploads/2026/harbour.txt"), {
      status: 200,
      body: "a crane",
    });
    const form = new URLSearchParams({ log: "captain", pwd: password, testcookie: "1" }).toString();
    const answer = await place.bash(
      `curl -s -o /dev/null -w '%{http_code} %{redirect_url}' -H 'Host: ${domain}' -b 'wordpress_test_cookie=WP%20Cookie%20check' ` +
        `--data-raw '${form.replaceAll("'", "%27")}' http://127.0.0.1/wp-login.php`,
    );
    assert.match(answer, /^302 http:\/\/blog\.example\.test\/wp-admin\//);
  }

  before(async () => {
    id = await install("app_cms", domain, { admin_username: "captain", admin_password: password });
    post = await asProject(
      east,
      `echo wp_insert_post(["post_title" => "Harbour", "post_content" => "Ships & harbours, as written", "post_status" => "publish"]);`,
    );
    assert.match(post, /^\d+$/);
    const uploads = `/srv/longshore/projects/${id}/shared/wp-content/uploads/2026`;
    await east.bash(
      `cd / && runuser -u project-${id} -- bash -c 'mkdir -p ${uploads}; printf "a crane" > ${uploads}/harbour.txt'`,
    );
    await assertServedBy(east);
  }, lengthy);

  it("that does not fit on the disk ends before anything is copied", lengthy, async () => {
    const projects = "/srv/longshore/projects";
    await west.bash(`mount -t tmpfs -o size=320M,mode=755 tmpfs ${projects}`);
    const ended = await move(id, west);
    await assertNothingOn(west, id);
    await west.bash(`umount ${projects}`);
    assert.equal(ended.status, 2);
    assert.match(ended.error ?? "", /disk has \d+ MB left; the project needs \d+ MB/);
    assert.equal(ended.steps.find(({ status }) => status === "failed")?.key, "check-room");
    assert.ok(!ended.steps.some(({ key }) => key === "hold"), "visitors were not held");
    await assertServedBy(east);
  });

  it(
    "that fails when its data has been copied leaves the former server serving, and nothing on the other",
    lengthy,
    async () => {
      const home = await east.bash("uname -n");
      // The first definition counts.
      const settings = `/srv/longshore/projects/${id}/shared/wp-config.php`;
      const lost = `if (php_uname("n") !== "${home}") { define("DB_PASSWORD", "another"); }`;
      await east.bash(`sed -i '1a ${lost}' ${settings}`);
      const visitor = startVisitor(domain, east, (body) => body.includes("<html"));
      const ended = await move(id, west).finally(() => visitor.stop());
      const { wrong } = await visitor.stop();
      assert.equal(ended.status, 2);
      assert.match(ended.error ?? "", /WordPress does not find its data/);
      assert.deepEqual(wrong, []);
      await assertNothingOn(west, id);
      assert.equal((await projectOf(id)).server_id, east.id);
      await assertServedBy(east);
      await east.bash(`sed -i 2d ${settings}`);
    },
  );

  it("brings posts, uploads, settings and jobs along, and leaves nothing behind", lengthy, async (t) => {
    const { database, app_version: version } = await detailsOf(stage, id);
    const visitor = startVisitor(domain, east, (body) => body.includes("<html"));
    const ended = await move(id, west);
    assert.equal(ended.status, 1, logTail(ended, 60));
    await visitor.forwarded().finally(() => visitor.stop());
    const { wrong, served, held, heldMs } = await visitor.stop();
    assert.deepEqual(wrong, []);
    assert.ok(served > 0 && held > 0, `${served} served, ${held} held`);
    t.diagnostic(
      `${served} requests served, ${held} held over ${Math.round(heldMs)} ms, ${wrong.length} failed otherwise`,
    );
    const steps = ended.steps.slice(ended.steps.findIndex(({ key }) => key === "hold"));
    t.diagnostic(steps.map(({ key, duration_ms: took }) => `${key} ${took} ms`).join(", "));
    await assertServedBy(west);
    await assertNothingOn(east, id);
    const moved = await projectOf(id);
    assert.deepEqual([moved.server_id, moved.installation_status], [west.id, 1]);
    const details = await detailsOf(stage, id);
    assert.deepEqual([details.database, details.app_version], [database, version]);
    const log = JSON.stringify(ended);
    assert.ok(!log.includes(database?.password ?? "?") && !log.includes("correct horse"), "the log shows no password");
    const cron = () => west.bash(`cat /etc/cron.d/longshore-project-${id} 2> /dev/null || true`);
    await waitFor("its jobs to be set up", async () => (await cron()).includes("*/5 * * * *"), appWaiting);
  });

  it("can be updated, moved back and deleted afterwards", lengthy, async () => {
    stage.mirror.offer("app_cms", [stage.wordpress.newer, stage.wordpress.former]);
    const { last_update: update } = await updateToEnd(stage, id);
    assert.equal(update?.state, "succeeded", JSON.stringify(update));
    await assertServedBy(west);
    const ended = await move(id, east);
    assert.equal(ended.status, 1, logTail(ended, 60));
    await assertServedBy(east);
    await assertNothingOn(west, id);
    assert.equal((await detailsOf(stage, id)).app_version, stage.wordpress.newer);
    assert.equal(await east.bash(`ls /srv/longshore/projects/${id}/releases`), "2");
    await stage.client("DELETE /api/v1/project/{id}", { params: { id } });
    await assertNothingOn(east, id);
  });
});

describe("a move of Adminer", () => {
  it("needs no database, and asks for the same password", lengthy, async () => {
    const domain = "databases.example.test";
    const id = await install("app_dbadmin", domain);
    const ended = await move(id, west);
    assert.equal(ended.status, 1, logTail(ended, 60));
    assert.equal((await ask(west, domain)).status, 401);
    const { credentials } = await detailsOf(stage, id);
    const login = `${credentials.username?.value}:${credentials.password?.value}`;
    const shown = await west.bash(`curl -sL -u '${login}' --connect-to '${domain}:80:127.0.0.1:80' http://${domain}/`);
    assert.match(shown, /Adminer/);
    await assertNothingOn(east, id);
  });
});

describe("a move of Node-RED", () => {
  it("brings its flows along", lengthy, async () => {
    const domain = "flows.example.test";
    const id = await install("node-red", domain);
    const flows = `/srv/longshore/projects/${id}/shared/node-red/flows.json`;
    const flow = JSON.stringify([{ id: "tab1", type: "tab", label: "Kept by moves" }]);
    await east.bash(`cd / && runuser -u project-${id} -- tee ${flows} <<< '${flow}' > /dev/null`);
    const visitor = startVisitor(domain, east, (body) => body.includes("Node-RED"));
    const ended = await move(id, west);
    assert.equal(ended.status, 1, logTail(ended, 60));
    await visitor.forwarded().finally(() => visitor.stop());
    assert.deepEqual((await visitor.stop()).wrong, []);
    const { credentials } = await detailsOf(stage, id);
    const log = new URLSearchParams({
      client_id: "node-red-admin",
      grant_type: "password",
      scope: "*",
      username: credentials.admin_username?.value ?? "",
      password: credentials.admin_password?.value ?? "",
    });
    const curl = `curl -s -H 'Host: ${domain}'`;
    const token = await west.bash(`${curl} -d '${log}' http://127.0.0.1/auth/token`);
    const { access_token: access } = JSON.parse(token) as { access_token: string };
    assert.match(
      await west.bash(`${curl} -H 'Authorization: Bearer ${access}' http://127.0.0.1/flows`),
      /Kept by moves/,
    );
    await assertNothingOn(east, id);
  });
});

describe("a move of Directus, which starts with its address", () => {
  it("brings the address along, and the new server follows the next one", lengthy, async () => {
    const domain = "data.example.test";
    const id = await install("directus", domain, { project_name: "Harbour", admin_email: "captain@example.com" });
    const ask = (name: string, path: string, options = "") =>
      west.bash(`curl -s ${options} --connect-to '${name}:80:127.0.0.1:80' 'http://${name}${path}'`);
    const processes = () => west.bash(`systemctl show --property=MainPID 'longshore-project-${id}@*'`);
    const ended = await move(id, west);
    assert.equal(ended.status, 1, logTail(ended, 60));
    assert.match(await ask(domain, "/server/specs/oas"), new RegExp(`http://${domain}`));
    const { credentials } = await detailsOf(stage, id);
    const body = JSON.stringify({ email: "captain@example.com", password: credentials.admin_password?.value });
    const answer = await ask(domain, "/auth/login", `-H 'Content-Type: application/json' --data-raw '${body}'`);
    assert.match(answer, /access_token/);
    await assertNothingOn(east, id);

    const before = await processes();
    const next = `next.${domain}`;
    const { domain: added } = await stage.client("POST /api/v1/projects/{id}/domains", {
      params: { id },
      body: { domain: next },
    });
    await stage.client("PUT /api/v1/projects/{id}/domains/{domainId}/primary", { params: { id, domainId: added.id } });
    const follows = async () => (await ask(next, "/server/specs/oas")).includes(`http://${next}`);
    await waitFor("the application to have its new address", follows, appWaiting);
    assert.notEqual(await processes(), before, "its process was replaced");
  });
});
