import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { TLSSocket } from "node:tls";
import { waitFor } from "../../stage/api-client.ts";
import { removeDirectory } from "../../stage/fixture.ts";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { primaryDomain, visit } from "../../stage/projects.ts";
import { endOf, install, lengthy, openStage, type Project, type Stage, waiting } from "../../stage/support.ts";
import {
  balance,
  openPlace,
  type Place,
  roll,
  seen,
  stagePlace,
  startVisitors,
  untilStates as untilStatesOf,
} from "./balanced.ts";

// A load balancer and two App servers: what visitors get while the project is deployed, and while one of the servers is
// down.

let directory: string;
let authority: Authority;
let stage: Stage;
let east: Place;
let west: Place;
let front: Place;
let shop: Project;

// Answers with its release, its machine, and the visitor's scheme.
const page = (version: number): string => `
  const { hostname } = require("node:os");
  require("node:http").createServer((request, response) => {
    const took = Number(new URL(request.url, "http://x").searchParams.get("took") ?? 5);
    request.resume().on("end", () => setTimeout(() => response.end("v${version} on " + hostname() + " over " + request.headers["x-forwarded-proto"]), took));
  }).listen(process.env.PORT, "127.0.0.1");
`;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-authority-"));
  authority = await startAuthority({ directory });
  stage = await openStage("balancer", { ...environmentOf(authority), LONGSHORE_ANSWER_WITHIN_SECONDS: "60" });
  east = stagePlace(stage);
  [west, front] = await Promise.all([openPlace(stage, "west"), openPlace(stage, "front", { server_type: 4 })]);
  shop = await install(stage, {
    name: "shop",
    files: { "server.js": page(1) },
    frameworkId: 8,
    commands: { install: "true", build: "true", dev: "node server.js" },
  });
}, lengthy);

after(async () => {
  await Promise.all([front, west].map((place) => place?.down()));
  await stage?.close();
  await authority?.close();
  await removeDirectory(directory);
});

const untilStates = (wanted: string) => untilStatesOf(stage, shop, wanted);

const ask = () => visit({ address: front.server.address, host: shop.domain });

/** Over TLS with the authority's certificate, for the project's name. */
const askSecurely = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = {
      host: front.server.address,
      servername: shop.domain,
      headers: { Host: shop.domain },
      rejectUnauthorized: false,
      agent: false,
    };
    get(options, (response) => {
      const { subject, subjectaltname } = (response.socket as TLSSocket).getPeerCertificate();
      assert.equal(subjectaltname, `DNS:${shop.domain}`, JSON.stringify(subject));
      let body = "";
      response.setEncoding("utf8").on("data", (data) => {
        body += data;
      });
      response.on("end", () => resolve(body));
    }).on("error", reject);
  });

describe("a project behind a load balancer", () => {
  it("is put on a second server, and served by both", async (context) => {
    const [first] = await balance(stage, shop, front, [west]);
    const ended = await endOf(stage, first as number);
    assert.equal(ended.status, 1, String(ended.error));
    await untilStates("serving serving");
    const visitors = startVisitors(4, ask);
    await waitFor(
      "visitors of each server",
      () => seen(visitors.visits, east.server.name) && seen(visitors.visits, west.server.name),
      waiting,
    );
    const { failed, answers } = await visitors.stop();
    assert.deepEqual(failed, []);
    context.diagnostic(JSON.stringify([...answers]));
  });

  it("is deployed from server to server while every visitor is answered", async (context) => {
    await stage.git.commit("shop", { files: { "server.js": page(2) } });
    const visitors = startVisitors(8, ask);
    await roll(stage, shop);
    const { total, failed, answers } = await visitors.stop();
    context.diagnostic(`${failed.length} of ${total} requests failed: ${JSON.stringify([...answers])}`);
    assert.deepEqual(failed, []);
    assert.ok(seen({ answers }, "v1 on") && seen({ answers }, "v2 on"));
    assert.match((await ask()).body, /^v2 on /);
  });

  it("sends no visitor to a server that drains", async () => {
    const flag = `/srv/longshore/projects/${shop.id}/state/draining`;
    await west.bash(`: > ${flag}`);
    const visitors = startVisitors(4, ask);
    await untilStates("serving draining");
    const { failed, answers } = await visitors.stop();
    assert.deepEqual(failed, []);
    assert.ok(!seen({ answers }, west.server.name), JSON.stringify([...answers]));
    await west.bash(`rm ${flag}`);
    await untilStates("serving serving");
  });

  it("takes out a server whose nginx is gone, and takes it back", async (context) => {
    const visitors = startVisitors(8, ask);
    await west.bash("systemctl stop nginx");
    await untilStates("serving unreachable");
    const { failed, total } = await visitors.stop();
    context.diagnostic(`${failed.length} of ${total} requests failed, of those that were under way when nginx stopped`);
    // HTTP's own rules allow repeating requests that were in progress: these were repeated.
    assert.deepEqual(failed, []);
    const others = startVisitors(4, ask);
    await west.bash("systemctl start nginx");
    await untilStates("serving serving");
    await waitFor("visitors of each server", () => seen(others.visits, west.server.name), waiting);
    assert.deepEqual((await others.stop()).failed, []);
  });

  it("answers with what is left when an application is gone", async () => {
    await west.bash(`systemctl stop 'longshore-project-${shop.id}@*'`);
    const visitors = startVisitors(4, ask);
    await untilStates("serving unreachable");
    assert.deepEqual((await visitors.stop()).failed, []);
    await roll(stage, shop);
    await untilStates("serving serving");
  });

  it("has its certificate at the load balancer, and its servers see that visitors came by HTTPS", async () => {
    await authority.pointAll(front.server.address);
    const domain_id = await primaryDomain(stage.client, shop.id);
    const reply = await stage.client.success("POST /api/v1/certificates", { body: { project_id: shop.id, domain_id } });
    assert.equal(reply.status, 201, reply.body.message);
    const bodies = new Set<string>();
    await waitFor("both servers over HTTPS", async () => bodies.add(await askSecurely()).size > 1, waiting);
    assert.ok(
      [...bodies].every((body) => body.endsWith(" over https")),
      [...bodies].join(", "),
    );
    assert.equal((await ask()).status, 301);
    for (const place of [east, west]) {
      assert.equal(
        await place.bash(`if [ -e /etc/longshore/tls ]; then find /etc/longshore/tls -name '*.pem'; fi`),
        "",
      );
    }
  });

  it("is taken apart: the project serves by itself, and the others keep nothing", async () => {
    await stage.client("DELETE /api/v1/projects/{id}/load-balancer", { params: { id: shop.id } });
    const leftAtWest = () =>
      west.bash(`
        ls -d /srv/longshore/projects/${shop.id} || true
        getent passwd project-${shop.id} || true
        ls /etc/nginx/sites-enabled`);
    await waitFor(
      "the further server to be cleared",
      async () => (await leftAtWest()) === "longshore-default.conf",
      waiting,
    ).catch(async () => assert.equal(await leftAtWest(), "longshore-default.conf"));
    await waitFor(
      "the load balancer to be cleared",
      async () => (await front.bash(`ls -d /srv/longshore/projects/${shop.id} || true`)) === "",
      waiting,
    );
    await waitFor("its name to be unknown", async () => (await ask()).status === 404, waiting);
    const { status, body } = await visit({ address: east.server.address, host: shop.domain, path: "/" });
    assert.deepEqual([status, body], [200, `v2 on ${await east.bash("hostname")} over http`]);
  });
});
