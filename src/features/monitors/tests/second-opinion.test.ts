import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Context } from "../../../context.ts";
import type { Script } from "../../../host/sh.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { type CheckResult, runCheck } from "../checks/client.ts";
import { type CheckedMonitor, listChecked } from "../checks/queries.ts";
import { mayAskElsewhere } from "../checks/reach.ts";
import type { Resolved } from "../checks/resolver.ts";
import { requestOnce, SecondOpinions } from "../checks/second-opinion.ts";
import { insertEvent } from "../verdicts/queries.ts";
import { recordVerdict } from "../verdicts/record.ts";
import { addMonitor, addProject, addProvisioned, noticesOf, openStage, type Stage } from "./support.ts";

// The server that is asked is this machine, with its own curl.

const directory = mkdtempSync(join(tmpdir(), "longshore-opinion-"));
const requested: string[] = [];
const site = createServer((asked, answer) => {
  requested.push(`${asked.socket.localAddress} ${asked.headers.host}`);
  answer.writeHead(asked.url === "/away" ? 302 : 418, { location: `http://127.0.0.1:${port}/` }).end();
});
let port = 0;
let stage: Stage;
let project: number;
let adviser: number;

before(async () => {
  stage = await openStage();
  project = await addProject(stage.pool, await addProvisioned(stage, { name: "web", public_ip: "192.0.2.10" }));
  adviser = await addProvisioned(stage, { name: "adviser", public_ip: "192.0.2.11" });
  await stage.pool.query("update servers set connection_status = 1, private_ip = null");
  await new Promise<void>((listening) => site.listen(0, "0.0.0.0", listening));
  port = (site.address() as AddressInfo).port;
});
after(async () => {
  site.close();
  rmSync(directory, { recursive: true });
  await stage.close();
});

async function monitorOf(url: string): Promise<CheckedMonitor> {
  const id = await addMonitor(stage, project, { url, timeoutSeconds: 2 });
  return (await listChecked(stage.pool, [id]))[0] as CheckedMonitor;
}

/** What the server is asked to run. */
const scripts: Script[] = [];
const exec = async (script: Script) => {
  scripts.push(script);
  return runBash(script, directory);
};
const opinionOn = (monitor: CheckedMonitor, result: CheckResult, mayAsk = (_: string): boolean => true) => {
  const hosts = { get: async () => ({ exec }) } as unknown as Context["hosts"];
  return new SecondOpinions({ ...stage.ctx, hosts }).ask(monitor, result, mayAsk);
};

const check = (url: string, resolve: (name: string) => Promise<Resolved>): Promise<CheckResult> =>
  runCheck({ url, method: "GET", expectedStatus: null, timeoutMs: 500 }, { resolve, mayReach: () => true });

describe("a second opinion", () => {
  it("requests only the addresses that were checked, however the name is written", async () => {
    for (const name of ["localhost", "localhost.", "a.localhost", "other.test", "127.0.0.7"]) {
      requested.length = 0;
      const monitor = await monitorOf(`http://${name}:${port}/`);
      const { stdout } = await exec(requestOnce(monitor, ["127.0.0.7"]));
      assert.match(stdout, /^status 418$/m, name);
      assert.deepEqual(requested, [`127.0.0.7 ${new URL(monitor.url).host}`]);
    }
  });

  it("follows no redirect", async () => {
    requested.length = 0;
    const { stdout } = await exec(requestOnce(await monitorOf(`http://other.test:${port}/away`), ["127.0.0.7"]));
    assert.match(stdout, /^status 302$/m);
    assert.equal(requested.length, 1);
  });

  it("is requested with the name's addresses and nothing else", async () => {
    const monitor = await monitorOf(`http://other.test:${port}/`);
    const opinion = await opinionOn(monitor, await check(monitor.url, async () => ({ addresses: ["127.0.0.7"] })));
    assert.deepEqual([opinion?.server.id, opinion?.status, opinion?.isUp], [adviser, 418, false]);
    scripts.length = 0;
    const unresolved: ((name: string) => Promise<Resolved>)[] = [
      () => new Promise(() => undefined),
      async () => ({ addresses: [], failure: "missing" }),
      async () => ({ addresses: [], failure: "failed" }),
    ];
    for (const resolve of unresolved)
      assert.equal(await opinionOn(monitor, await check(monitor.url, resolve)), undefined);
    for (const error of [
      "timeout",
      "connection_refused",
      "tls_failed",
      "address_not_allowed",
      "unreachable",
    ] as const) {
      const result = { isUp: false, error, message: "It failed.", phases: {} };
      assert.equal(await opinionOn(monitor, result), undefined, error);
    }
    assert.deepEqual(scripts, []);
  });

  it("is not requested for an address that belongs to another machine there", async () => {
    const mayAsk = mayAskElsewhere(["192.0.2.10", "10.1.2.3", "127.0.0.1", "169.254.169.254"]);
    for (const [address, isAsked] of [
      ["9.9.9.9", true],
      ["2620:fe::fe", true],
      ["10.1.2.3", true],
      ["10.1.2.4", false],
      ["127.0.0.1", false],
      ["::ffff:127.0.0.1", false],
      ["169.254.169.254", false],
      ["::1", false],
      ["fe80::1", false],
    ] as const) {
      assert.equal(mayAsk(address), isAsked, address);
    }
    const monitor = await monitorOf(`http://other.test:${port}/`);
    scripts.length = 0;
    const result = await check(monitor.url, async () => ({ addresses: ["127.0.0.7"] }));
    assert.equal(await opinionOn(monitor, { ...result, addresses: ["9.9.9.9", "127.0.0.7"] }, mayAsk), undefined);
    assert.deepEqual(scripts, []);
  });

  it("is not requested from a server that has one of the addresses", async () => {
    const monitor = await monitorOf(`http://other.test:${port}/`);
    const result = { isUp: false, message: "It failed.", phases: {}, addresses: ["127.0.0.7", "192.0.2.11"] as const };
    assert.equal(await opinionOn(monitor, result), undefined);
  });

  it("is shown only to those who reach the server, and in no notice", async () => {
    const { cast, pool, ctx, app } = stage;
    const { id, revision } = await monitorOf(`http://other.test:${port}/`);
    const opinion = { server_id: adviser, server_name: "adviser", is_up: false, status: 418, message: "It got 418." };
    const context = { status: null, second_opinion: opinion };
    const at = new Date();
    await insertEvent(pool, { monitorId: id, status: "up", message: "It answered.", context, at });
    const eventsFor = async (token: string) => {
      const { body } = await call(app, `GET /api/v1/monitors/${id}`, { token });
      return body.data.events.map((event: { context: unknown }) => event.context);
    };
    assert.deepEqual(await eventsFor(cast.alice), [context]);
    await restrict(pool, "Bob", cast.organizationId, { projects: [project] });
    assert.deepEqual(await eventsFor(cast.bob), [{ status: null }]);
    await restrict(pool, "Bob", cast.organizationId, { servers: [adviser], projects: [project] });
    assert.deepEqual(await eventsFor(cast.bob), [context]);
    const tx = await pool.connect();
    try {
      const change = { status: "down" as const, at, since: at, observedUntil: at, message: "It failed.", context };
      await recordVerdict(tx, ctx, { id, revision, current_status: "pending" }, change);
    } finally {
      tx.release();
    }
    const notices = JSON.stringify(await noticesOf(stage, id));
    assert.match(notices, /It failed/);
    assert.doesNotMatch(notices, /adviser|418/);
  });
});
