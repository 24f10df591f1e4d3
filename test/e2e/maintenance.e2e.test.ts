import assert from "node:assert/strict";
import { get, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { after, afterEach, before, describe, it } from "node:test";
import type { ProjectUpdate } from "../../contract/types.ts";
import {
  changeServed,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
} from "../../stage/support.ts";

// Updates of the web server outside of a deployment, as visitors see it on a real nginx.

let stage: Stage;
let project: Project;

const broken = "/etc/nginx/sites-enabled/broken-by-hand.conf";

const page = (version: number) => ({
  "index.html": `<h1>Version ${version}</h1>`,
  "about.html": "<h1>About</h1>",
  "about.md": "# About",
  "guide/index.html": "<title>Guide</title><nav>Menu</nav><main><h1>Guide</h1><p>Read <b>this</b>.</p></main>",
  "data.json": "{}",
});

before(async () => {
  stage = await openStage("maintenance");
  project = await install(stage, { name: "shop", files: page(1) });
}, lengthy);

afterEach(() => stage?.bash(`rm -f ${broken}`));

after(() => stage?.close());

interface Visit {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const visit = (path = "/", headers: Record<string, string> = {}, { domain } = project): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const options = { host: stage.server.address, path, headers: { Host: domain, ...headers }, agent: false };
    get(options, async (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: await text(response) });
    }).on("error", reject);
  });

const asMarkdown = () => visit("/about", { Accept: "text/markdown" });

const toggle = () =>
  stage.client.success("POST /api/v1/projects/{id}/maintenance/toggle", { params: { id: project.id } });

const modeOf = async () =>
  (await stage.client("GET /api/v1/projects/{id}/maintenance/status", { params: { id: project.id } })).maintenance_mode;

const publish = () => stage.client("GET /api/v1/projects/{id}/publish", { params: { id: project.id } });

const refusedUpdate = (body: ProjectUpdate) =>
  stage.client.refusal("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });

describe("maintenance", () => {
  it("shows visitors the holding page, with 503 and Retry-After", async () => {
    assert.equal((await visit()).status, 200);
    const { status, body } = await toggle();
    assert.deepEqual([status, body.maintenance_mode, await modeOf()], [200, true, true]);
    const seen = await visit();
    assert.equal(seen.status, 503);
    assert.match(seen.headers["retry-after"] ?? "", /^\d+$/);
    assert.match(seen.body, /Back in a moment/);
    assert.equal((await visit("/about.html")).status, 503);
  });

  it("lets certificate authorities through", async () => {
    await stage.bash("mkdir -p /var/lib/longshore/acme && echo proof > /var/lib/longshore/acme/token");
    const seen = await visit("/.well-known/acme-challenge/token");
    assert.deepEqual([seen.status, seen.body.trim()], [200, "proof"]);
  });

  it("lets deployments succeed, and visitors wait on", async () => {
    await stage.git.commit("shop", { files: page(2) });
    const deployment = await deployToEnd(stage, project);
    assert.equal(deployment.status, 1, deployment.error ?? "");
    assert.equal((await visit()).status, 503);
  });

  it("ends with what was deployed meanwhile", async () => {
    const { status, body } = await toggle();
    assert.deepEqual([status, body.maintenance_mode, await modeOf()], [200, false, false]);
    const seen = await visit();
    assert.equal(seen.status, 200);
    assert.match(seen.body, /Version 2/);
  });

  it("survives a publication", async () => {
    await toggle();
    assert.equal((await publish()).nginx_response?.ok, true);
    assert.equal((await visit()).status, 503);
    await toggle();
    assert.equal((await visit()).status, 200);
  });
});

describe("publishing", () => {
  it("answers with nginx's own words", async () => {
    const { status, nginx_response } = await publish();
    assert.equal(status, "success");
    assert.ok(nginx_response?.ok);
    assert.match(nginx_response.system_output.join("\n"), /nginx\.conf test is successful/);
  });

  it("restores what an operator changed in the project's own file", async () => {
    await stage.bash(`echo 'nonsense;' >> /etc/nginx/sites-available/longshore-project-${project.id}.conf`);
    assert.equal((await publish()).nginx_response?.ok, true);
    await stage.bash("nginx -t");
    assert.equal((await visit()).status, 200);
  });

  it("fails with nginx's reason when an operator broke another file, and the site serves on", async () => {
    await stage.bash(`echo 'nonsense_by_hand;' > ${broken}`);
    const { status, message, nginx_response } = await publish();
    assert.deepEqual([status, nginx_response?.ok], ["failed", false]);
    assert.match(nginx_response?.system_output.join("\n") ?? "", /\[emerg\] .*unknown directive "nonsense_by_hand"/);
    assert.match(message, /rejects the new settings: unknown directive "nonsense_by_hand"/);
    assert.equal((await visit()).status, 200);
    const changed = await refusedUpdate({ max_upload_mb: 7 });
    assert.equal(changed.status, 422);
    assert.match(changed.body.message, /^The change was taken back\. nginx rejects .*"nonsense_by_hand"/);
    const kept = await stage.client("GET /api/v1/projects/{id}", { params: { id: project.id } });
    assert.equal(kept.max_upload_mb, 100);
    await stage.bash(`rm ${broken}`);
    assert.equal((await publish()).nginx_response?.ok, true);
  });

  it("shows what is live to no visitor and no process of the server", async () => {
    const path = "/.well-known/longshore/release";
    assert.equal((await visit(path)).status, 404);
    const inside = `curl -s -o /dev/null -w '%{http_code}' -H 'Host: ${project.domain}' http://127.0.0.1${path}`;
    assert.equal(await stage.bash(inside), "404");
  });
});

describe("settings", () => {
  it("Markdown negotiation is applied without a deployment", async () => {
    assert.match((await asMarkdown()).body, /<h1>About/);
    // The first one on a server fetches the converter from npm's registry.
    await changeServed(stage, project, { markdown_negotiation_enabled: true });
    const seen = await asMarkdown();
    assert.match(seen.headers["content-type"] ?? "", /^text\/markdown/);
    assert.equal(seen.body.trim(), "# About");
    assert.match((await visit("/about")).body, /<h1>About/);
  });

  it("Markdown is made of the page's HTML where there is no file of it", async () => {
    const markdown = { Accept: "text/markdown, text/html;q=0.5" };
    const seen = await visit("/guide/?page=1", markdown);
    assert.match(seen.headers["content-type"] ?? "", /^text\/markdown/, seen.body);
    assert.equal(seen.body, "# Guide\n\nRead **this**.\n");
    for (const each of [seen, await visit("/guide/"), await asMarkdown(), await visit("/about")]) {
      assert.match(String(each.headers.vary), /\baccept\b(?!-)/i);
    }
    assert.equal((await visit("/data.json", markdown)).body, "{}");
    assert.equal((await visit("/nowhere", markdown)).status, 404);
    await stage.bash("systemctl stop longshore-markdown.socket longshore-markdown.service");
    assert.match((await visit("/guide/", markdown)).body, /<main>/, "HTML where the converter is away");
    await stage.bash("systemctl start longshore-markdown.socket");
    assert.equal((await visit("/guide/", markdown)).body, seen.body);
  });

  it("is taken back and reported when nginx rejects the site, and applied when it accepts it", async () => {
    await stage.bash(`echo 'nonsense_by_hand;' > ${broken}`);
    const { status, body } = await refusedUpdate({ markdown_negotiation_enabled: false });
    assert.equal(status, 422);
    assert.match(body.message, /^The change was taken back\. .*nonsense_by_hand/);
    assert.equal((await asMarkdown()).body.trim(), "# About");
    await stage.bash(`rm ${broken}`);
    await changeServed(stage, project, { markdown_negotiation_enabled: false });
    assert.match((await asMarkdown()).body, /<h1>About/);
  });

  it("a memory limit reaches the server with the next deployment that succeeds", async () => {
    const files = {
      "public/index.php": "<?php echo 'limit ', ini_get('memory_limit');",
      "public/address.php": "<?php echo $_SERVER['REMOTE_ADDR'];",
      "fail.txt": "no",
    };
    const php = await install(stage, {
      name: "app",
      frameworkId: 4,
      files,
      commands: { custom: "! grep -q yes fail.txt" },
    });
    const limit = async () => (await visit("/", {}, php)).body;
    const before = await limit();
    await stage.client("PUT /api/v1/projects/{id}", { params: { id: php.id }, body: { max_memory: "200MB" } });
    assert.equal(await limit(), before, "saving deploys nothing");
    await stage.git.commit("app", { files: { "fail.txt": "yes" } });
    assert.equal((await deployToEnd(stage, php)).status, 2);
    assert.equal(await limit(), before, "a deployment that failed left everything as it was");
    await stage.git.commit("app", { files: { "fail.txt": "no" } });
    const deployment = await deployToEnd(stage, php);
    assert.equal(deployment.status, 1, deployment.error ?? "");
    assert.equal(await limit(), "limit 200M");
    const again = await deployToEnd(stage, php);
    assert.ok(!again.steps.some((step) => step.key === "write-pool"), "once is enough");
    await changeServed(stage, php, { markdown_negotiation_enabled: true });
    assert.equal((await visit("/", { Accept: "text/markdown" }, php)).body, "limit 200M\n", "a program's page too");
    const { body: address } = await visit("/address.php", {}, php);
    const asked = await visit("/address.php", { Accept: "text/markdown" }, php);
    assert.match(asked.headers["content-type"] ?? "", /^text\/markdown/);
    assert.equal(asked.body.trim(), address, "for the same visitor");
  });
});
