import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { addHeartbeat, type Heartbeat, liveProject, openStage, type Stage, servePings, stored } from "./support.ts";

let stage: Stage;
let app: FastifyInstance;
let url: string;
let port: number;
let projectId: number;

before(async () => {
  stage = await openStage();
  ({ app, url, port } = await servePings(stage));
  projectId = await liveProject(stage);
});

after(async () => {
  await app?.close();
  await stage?.close();
});

const ping = (heartbeat: Pick<Heartbeat, "token">, path = "", init: RequestInit = {}) =>
  fetch(`${url}/ping/${heartbeat.token}${path}`, init);

describe("a report", () => {
  test("is accepted with GET, HEAD and POST, without a credential", async () => {
    for (const method of ["GET", "HEAD", "POST"]) {
      const heartbeat = await addHeartbeat(stage, projectId);
      const answer = await ping(heartbeat, "", { method });
      assert.equal(answer.status, 200);
      assert.equal(await answer.text(), method === "HEAD" ? "" : "OK\n");
      assert.equal((await stored(stage, heartbeat.id)).last_ping_kind, "success", method);
    }
  });

  test("with an exit status records the result and the duration of the job", async () => {
    const heartbeat = await addHeartbeat(stage, projectId);
    await ping(heartbeat, "/3?rid=run-1&duration_ms=1500", { method: "POST", body: "out of disk" });
    const failed = await stored(stage, heartbeat.id);
    assert.deepEqual(
      [failed.last_end_kind, failed.last_ping_exit_status, failed.last_ping_duration_ms, failed.last_ping_body],
      ["fail", 3, 1500, "out of disk"],
    );
    await ping(heartbeat, "/0");
    assert.equal((await stored(stage, heartbeat.id)).last_end_kind, "success");
    await ping(heartbeat, "/fail");
    assert.equal((await stored(stage, heartbeat.id)).last_end_kind, "fail");
  });

  test("counts at an address with a slash at its end as without", async () => {
    for (const [path, kind] of [
      ["/", "success"],
      ["/start/", "start"],
      ["/fail/", "fail"],
      ["/0/?rid=a", "success"],
      ["/17/", "fail"],
    ]) {
      const heartbeat = await addHeartbeat(stage, projectId);
      for (const method of ["GET", "HEAD", "POST"]) assert.equal((await ping(heartbeat, path, { method })).status, 200);
      assert.equal((await stored(stage, heartbeat.id)).last_ping_kind, kind, path);
    }
  });

  test("of a start keeps the result of the last run", async () => {
    const heartbeat = await addHeartbeat(stage, projectId);
    await ping(heartbeat, "/7", { method: "POST", body: "it broke" });
    await ping(heartbeat, "/start?rid=run-2");
    const now = await stored(stage, heartbeat.id);
    assert.deepEqual(
      [now.last_ping_kind, now.last_end_kind, now.last_ping_exit_status, now.last_ping_body],
      ["start", "fail", 7, "it broke"],
    );
    assert.ok(now.last_started_at);
  });

  test("of a start is ignored when its run has already ended", async () => {
    const heartbeat = await addHeartbeat(stage, projectId);
    await ping(heartbeat, "/0?rid=run-3");
    await ping(heartbeat, "/start?rid=run-3");
    assert.equal((await stored(stage, heartbeat.id)).last_started_at, null);
  });

  test("to an unknown address answers 404 like any other unknown address", async () => {
    const unknown = { token: "x".repeat(40) };
    const paths = ["", "/start", "/fail", "/0", "/256", "/-1", "/soon", "/0/0"];
    for (const path of paths) assert.equal((await ping(unknown, path)).status, 404, path);
    assert.equal((await fetch(`${url}/ping/short`)).status, 404);
    const heartbeat = await addHeartbeat(stage, projectId);
    for (const path of ["/256", "/soon", "/0/0", "/soon/", "/log", "/log/", "/start//"])
      assert.equal((await ping(heartbeat, path)).status, 404, path);
    assert.equal((await stored(stage, heartbeat.id)).last_ping_at, null);
    const { body } = { body: await (await ping(unknown)).json() };
    assert.deepEqual(body, { status: "error", message: "This address was not found." });
  });
});

describe("the body of a report", () => {
  const bodyAfter = async (body: string | Buffer<ArrayBuffer>, init: RequestInit = {}) => {
    const heartbeat = await addHeartbeat(stage, projectId);
    const answer = await ping(heartbeat, "/1", { method: "POST", body, ...init });
    return { status: answer.status, body: (await stored(stage, heartbeat.id)).last_ping_body };
  };

  test("is kept up to 10 KB of any type", async () => {
    const { status, body } = await bodyAfter(`${"a".repeat(10_240)}b`, {
      headers: { "content-type": "application/json" },
    });
    assert.deepEqual([status, body], [200, "a".repeat(10_240)]);
  });

  test("may be binary", async () => {
    const bytes = Buffer.from([0, 1, 27, 0xff, 0xfe, 0xc3, 0x28, 10, 65, 13, 10, 0xed, 0xa0, 0x80]);
    const { status, body } = await bodyAfter(bytes);
    assert.equal(status, 200);
    assert.match(body ?? "", /\nA\n/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    assert.doesNotMatch(body ?? "", /[\0\x1b]/);
  });

  test("may be huge: the report counts, and the rest is not read", async () => {
    const heartbeat = await addHeartbeat(stage, projectId);
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write(`POST /ping/${heartbeat.token}/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n`);
    const chunk = Buffer.alloc(64 * 1024, "x");
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", more);
    more();
    await closed;
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.ok(socket.bytesWritten < 100_000_000, "the connection is closed long before the end");
    const { last_ping_exit_status: exitStatus, last_ping_body: body } = await stored(stage, heartbeat.id);
    assert.deepEqual([exitStatus, body?.length], [2, 10_240]);
  });

  test("may never arrive: the request ends without a report", async () => {
    const heartbeat = await addHeartbeat(stage, projectId);
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.resume().once("close", resolve));
    socket.write(`POST /ping/${heartbeat.token}/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc`);
    await closed;
    assert.equal((await stored(stage, heartbeat.id)).last_ping_at, null);
  });
});

describe("a server's listener", () => {
  const report = (body: string) => fetch(`${url}/ping`, { method: "POST", body });

  test("reports on many jobs in one request", async () => {
    const [one, two] = [await addHeartbeat(stage, projectId), await addHeartbeat(stage, projectId)];
    const lines = [
      `${one.token} success`,
      `${two.token} fail Process 1 does not run.`,
      `${"y".repeat(40)} success`,
      "nonsense",
    ];
    const answer = await report(`${lines.join("\n")}\n`);
    assert.deepEqual([answer.status, await answer.text()], [200, "2\n"]);
    assert.equal((await stored(stage, one.id)).last_end_kind, "success");
    const second = await stored(stage, two.id);
    assert.deepEqual([second.last_end_kind, second.last_ping_body], ["fail", "Process 1 does not run."]);
  });
});

test("each report of a flood is stored or refused, and the rows match the answers", async () => {
  const heartbeats = await Promise.all(Array.from({ length: 20 }, () => addHeartbeat(stage, projectId)));
  const sent = Array.from({ length: 4_000 }, (_, at) => heartbeats[at % heartbeats.length] as Heartbeat);
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, lane) => {
      const seen: number[] = [];
      for (let at = lane; at < sent.length; at += 50) {
        const answer = await ping(sent[at] as Heartbeat, at % 3 === 0 ? "/start" : "/0");
        await answer.arrayBuffer();
        seen.push(answer.status);
      }
      return seen;
    }),
  );
  assert.deepEqual([...new Set(statuses.flat())], [200]);
  for (const { id } of heartbeats) assert.equal((await stored(stage, id)).last_end_kind, "success");
});
