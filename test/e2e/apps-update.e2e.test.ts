import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import { lengthy, startVisitor } from "../../stage/support.ts";
import {
  type AppsStage,
  appWaiting,
  beginInstall,
  detailsOf,
  installEnd,
  openAppsStage,
  updateToEnd,
  watchArguments,
} from "./apps-support.ts";

// Updates of WordPress on a real server, used in a real browser: written content stays, also when an update fails
// half-way.

const domain = "press.example.test";
const chromiumPath = "/usr/bin/chromium";

let stage: AppsStage;
let former: string;
let newer: string;
let id: number;
let home: string;

before(async () => {
  stage = await openAppsStage("apps-update");
  ({ former, newer } = stage.wordpress);
  stage.mirror.offer("app_cms", [former]);
  const body = { name: "Press", domain, app_slug: "app_cms", inputs: { site_title: "Press" } };
  id = await beginInstall(stage, body);
  home = `/srv/longshore/projects/${id}`;
  const ended = await installEnd(stage, id);
  assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
  // Written by SQL, so that the tests without a browser have data to lose as well.
  await stage.bash(`mariadb cms_${id} -e "UPDATE wp_posts SET post_content = 'kept by every update' WHERE ID = 1"`);
}, lengthy);

after(() => stage?.close());

const page = async (path = "/") => visit({ address: stage.server.address, host: domain, path });

const database = (statement: string): Promise<string> => stage.bash(`mariadb -N cms_${id} -e "${statement}"`);

const schemaVersion = () => database("SELECT option_value FROM wp_options WHERE option_name = 'db_version'");

/** The former version serves, with its data, and nothing is left of the update. */
async function assertAsBefore(schema: string): Promise<void> {
  const { status, body } = await page();
  assert.equal(status, 200);
  assert.match(body, new RegExp(`content="WordPress ${former}"`));
  assert.match((await page("/?p=1")).body, /kept by every update/);
  assert.equal(await schemaVersion(), schema);
  assert.equal(await stage.bash(`readlink ${home}/current`), "releases/1");
  const left = await stage.bash(
    `ls ${home}/releases; ls ${home}/state | grep -v '^site-' || true; ls -a ${home}/releases/1 | grep '^.maintenance$' || true; ls ${home}/cache/apps | grep update- || true`,
  );
  assert.equal(left, "1");
  assert.equal(await database("SELECT count(*) FROM wp_options WHERE option_name = 'core_updater.lock'"), "0");
  const details = await detailsOf(stage, id);
  assert.equal(details.app_version, former);
}

describe("an update that fails half-way", () => {
  let schema: string;

  before(async () => {
    stage.mirror.offer("app_cms", [newer, former]);
    schema = await schemaVersion();
  });

  it("leaves the former version when the archive is not what it should be", lengthy, async () => {
    stage.mirror.replace(`/app_cms/wordpress-${newer}.tar.gz`, Buffer.from("nothing"));
    const { last_update: update } = await updateToEnd(stage, id);
    stage.mirror.replace(`/app_cms/wordpress-${newer}.tar.gz`, undefined);
    assert.equal(update?.state, "failed");
    await assertAsBefore(schema);
  });

  it("leaves the former version when the files are not those that belong to the new one", lengthy, async () => {
    const path = `/app_cms/checksums-${newer}.json`;
    stage.mirror.replace(path, Buffer.from(JSON.stringify({ "wp-load.php": "0".repeat(32) })));
    const { last_update: update } = await updateToEnd(stage, id);
    stage.mirror.replace(path, undefined);
    assert.equal(update?.state, "failed");
    assert.match(update?.error ?? "", /verify|belong/);
    await assertAsBefore(schema);
  });

  it("leaves the former version when the disk is full", lengthy, async () => {
    // A separate file system for the releases, with room for the live one and not for another.
    await stage.bash(`cp -a ${home}/releases /root/releases-${id}
      mount -t tmpfs -o size=110M,mode=750 tmpfs ${home}/releases
      cp -a /root/releases-${id}/. ${home}/releases/ && chown root:project-${id} ${home}/releases`);
    const { last_update: update } = await updateToEnd(stage, id);
    await stage.bash(`umount -l ${home}/releases; rm -rf /root/releases-${id}`);
    assert.equal(update?.state, "failed", JSON.stringify(update));
    assert.match(update?.error ?? "", /No space left|could not|copied|failed/);
    await assertAsBefore(schema);
  });

  it("puts the database back when it fails after the schema has moved", lengthy, async () => {
    const plugins = `${home}/shared/wp-content/mu-plugins`;
    const dies = `<?php if (PHP_SAPI !== 'cli' && (int) get_option('db_version') !== ${schema}) { http_response_code(500); exit; }`;
    await stage.bash(`mkdir -p ${plugins}; cat > ${plugins}/dies.php <<'PHP'\n${dies}\nPHP`);
    const { database: account } = await detailsOf(stage, id);
    const watch = await watchArguments(stage, [account?.password ?? ""]);
    const { last_update: update } = await updateToEnd(stage, id);
    const { looks, seen } = await watch.stop();
    assert.equal(seen, "");
    assert.ok(looks > 0, `${looks}`);
    await stage.bash(`rm -r ${plugins}`);
    assert.equal(update?.state, "failed");
    assert.match(update?.error ?? "", /answers 500/);
    await assertAsBefore(schema);
  });

  it("leaves the former version when its process is killed", lengthy, async () => {
    await stage.client("POST /api/v1/projects/{id}/app/update", { params: { id } });
    await stage.bash("until pkill -KILL -f '[w]p-cli.* core update '; do sleep 0.02; done");
    const ended = await waitFor(
      "the update to end",
      async () => {
        const details = await detailsOf(stage, id);
        return details.last_update?.state !== "running" && details;
      },
      appWaiting,
    );
    assert.equal(ended.last_update?.state, "failed");
    await assertAsBefore(schema);
  });
});

const options = { skip: existsSync(chromiumPath) ? false : "chromium is not installed" };

describe("an update in front of a person", options, () => {
  let browser: Browser;
  let tab: Page;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "longshore-press-"));
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        `--host-resolver-rules=MAP ${domain} ${stage.server.address}`,
      ],
    });
    tab = await browser.newPage();
    tab.setDefaultTimeout(60_000);
  });

  after(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it("begins with a log-in by the shown credentials, a post and a picture", async () => {
    const { credentials } = await detailsOf(stage, id);
    await tab.goto(`http://${domain}/wp-login.php`);
    await tab.fill("#user_login", credentials.admin_username?.value ?? "");
    await tab.fill("#user_pass", credentials.admin_password?.value ?? "");
    await tab.click("#wp-submit");
    await tab.waitForURL(/wp-admin/);
    const picture = join(directory, "harbour.png");
    await writeFile(picture, Buffer.from(onePixel, "base64"));
    await tab.goto(`http://${domain}/wp-admin/media-new.php?browser-uploader`);
    await tab.setInputFiles("#async-upload", picture);
    await tab.click("#html-upload");
    await tab.waitForURL(/upload\.php/);
    // The editor's own requests, as its page sends them.
    await tab.goto(`http://${domain}/wp-admin/edit.php`);
    const post = { title: "Written in a browser", content: "Seen after the update", status: "publish" };
    const status = await tab.evaluate(`(async () => {
      const nonce = await (await fetch("/wp-admin/admin-ajax.php?action=rest-nonce")).text();
      const headers = { "X-WP-Nonce": nonce, "Content-Type": "application/json" };
      const body = ${JSON.stringify(JSON.stringify(post))};
      return (await fetch("/?rest_route=/wp/v2/posts", { method: "POST", headers, body })).status;
    })()`);
    assert.equal(status, 201);
  });

  it("shows both after the update, and no visitor a failure meanwhile", lengthy, async () => {
    const visitor = startVisitor(stage, { id, name: "Press", domain, home }, (body) => body.includes("<title>Press"));
    const details = await updateToEnd(stage, id).finally(() => visitor.stop());
    const { visits, wrong } = await visitor.stop();
    assert.equal(details.last_update?.state, "succeeded", JSON.stringify(details.last_update));
    assert.equal(details.app_version, newer);
    assert.deepEqual(wrong, []);
    assert.ok(visits > 0);
    await tab.goto(`http://${domain}/`);
    assert.match(await tab.content(), new RegExp(`WordPress ${newer}`));
    await tab.getByText("Written in a browser").first().click();
    await tab.getByText("Seen after the update").first().waitFor();
    const picture = await tab.evaluate(`(async () => {
      const [media] = await (await fetch("/?rest_route=/wp/v2/media")).json();
      const image = new Image();
      image.src = media.source_url;
      await image.decode();
      return image.naturalWidth;
    })()`);
    assert.equal(picture, 1);
    await tab.goto(`http://${domain}/wp-admin/`);
    assert.match(await tab.content(), /Dashboard/);
  });
});

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
