import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { emitEvent } from "../../../engine/events.ts";
import type { Entry } from "../../../engine/runs/journal.ts";
import { findRun } from "../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { type Followed, followEvents } from "../../../http/tests/event-stream.ts";
import { call, restrict, tokenOf } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { feedOf } from "../../events/feed.ts";
import { LogStream } from "../../events/log-stream.ts";
import { deploymentRunKinds } from "../jobs.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  startRuns,
} from "./support.ts";

let stage: Stage;
let origin: string;
let server: number;
let project: number;
/** A deployment under way. */
let id: number;

before(async () => {
  stage = await openStage();
  origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
  server = await addProvisioned(stage);
});
after(() => stage?.close());
beforeEach(async () => {
  project = await addProject(stage.pool, server);
  id = await begin(project, server);
});

async function begin(projectId: number, serverId: number): Promise<number> {
  const [deployment] = (await deploy(stage, projectId)) as [number];
  await dispatch(stage, serverId);
  await startRuns(stage);
  return deployment;
}

const address = (query = "", deployment = id) => `${origin}/api/v1/deployments/${deployment}/log/stream${query}`;

const follow = (t: TestContext, query = "", more: { token?: string; lastEventId?: string | number } = {}) =>
  followEvents(t, address(query), { token: stage.cast.alice, ...more });

/** Stores what the server reported, as its follower does. */
async function report(offset: number, ...entries: Entry[]): Promise<void> {
  const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
  const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
  assert.ok(run);
  const update = parseUpdate(run, { entries, consumed: 100_000, offset }, 0, (bytes) => bytes);
  await applyUpdate({ pool: stage.pool, kinds }, update);
}

const output = (text: string, offset: number): Entry => ({ type: "output", bytes: Buffer.from(text), offset });

/** Each text is stored by itself. */
async function print(...texts: string[]): Promise<void> {
  const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
  let offset = run?.journal_offset ?? 0;
  for (const text of texts) {
    await report(offset, output(text, offset + 7));
    offset += 100_000;
  }
}

/** Stores a long log at once, without events; its text. */
async function fill(pieces: number, bytes: number): Promise<void> {
  await stage.pool.query(
    `insert into run_output (run_id, journal_offset, step_position, audience, text, lines_before)
     select run_id, n * 1000000, 1, 'client', n || ' ' || repeat('x', $3::int) || E'\\n', n
     from deployments, generate_series(0, $2::int - 1) n where deployments.id = $1`,
    [id, pieces, bytes],
  );
}

const textOf = (followed: Followed): string =>
  followed
    .all("log")
    .map(({ text }) => text)
    .join("");

const linesOf = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}\n`).join("");

describe("a log that is followed", () => {
  it("has what was printed, what is printed then, the steps, the status, and the end", async (t) => {
    const at = Date.now();
    await report(0, { type: "run", at }, { type: "step", position: 0, at });
    await print("one\ntwo\n");
    const followed = await follow(t);
    await followed.until(() => followed.all("log").length === 1);
    const { key, status } = followed.all("step")[0];
    assert.deepEqual(followed.all("status"), [{ status: 3, error: null }]);
    assert.deepEqual([key, status, followed.all("step")[0].index], ["create-account", "running", 0]);
    const [first] = followed.events.filter(({ event }) => event === "log");
    assert.deepEqual(first?.data, {
      offset: 100_007,
      step: "create-account",
      audience: "system",
      text: "one\ntwo\n",
      first_line: 1,
    });
    assert.equal(first?.id, "100007");
    await print("three\n");
    await followed.until(() => textOf(followed) === "one\ntwo\nthree\n");
    assert.equal(followed.all("log")[1].first_line, 3);
    await report(300_000, { type: "done", position: 0, exitCode: 0, durationMs: 5, at });
    await followed.until(() => followed.all("step").length === 2);
    assert.equal(followed.all("step")[1].status, "completed");
    await finishRun(stage, id, "failed", {}, "The build failed.");
    await followed.ended();
    assert.deepEqual(followed.all("end"), [{ status: 2, error: "The build failed." }]);
    assert.deepEqual(followed.events.at(-1)?.event, "end");
  });

  it("has each line once and in order, while it is printed", async (t) => {
    const followed = await follow(t);
    for (let n = 0; n < 60; n++) await print(linesOf(3, `round ${n} line`));
    await finishRun(stage, id, "succeeded");
    await followed.ended();
    assert.equal(textOf(followed), Array.from({ length: 60 }, (_, n) => linesOf(3, `round ${n} line`)).join(""));
    assert.equal(followed.all("end").length, 1);
  });

  it("waits for a deployment that is queued", async (t) => {
    const [queued] = (await deploy(stage, await addProject(stage.pool, server))) as [number];
    const followed = await followEvents(t, address("", queued), { token: stage.cast.alice });
    await followed.until(() => followed.all("status").length === 1);
    assert.deepEqual(followed.all("status")[0].status, 0);
    await dispatch(stage, server);
    await startRuns(stage);
    id = queued;
    await print("begun\n");
    await followed.until(() => textOf(followed) === "begun\n");
    assert.equal(followed.all("status").at(-1).status, 3);
  });

  it("of a deployment that has ended is sent whole, and ends", async (t) => {
    await fill(300, 1_000);
    await finishRun(stage, id, "succeeded");
    const followed = await follow(t);
    await followed.ended();
    const { body } = await call(stage.app, `GET /api/v1/deployments/${id}/log?limit=1000000`, {
      token: stage.cast.alice,
    });
    assert.deepEqual(followed.all("log"), body.data);
    assert.equal(followed.all("end")[0].status, 1);
  });

  it("comes in batches of 100 ms or 64 KB", async (t) => {
    const sizes: [number, number][] = [];
    const { push } = LogStream.prototype;
    t.after(() => {
      LogStream.prototype.push = push;
    });
    LogStream.prototype.push = function (this: LogStream, chunk: unknown, ...rest) {
      if (chunk instanceof Buffer) sizes.push([performance.now(), chunk.length]);
      return push.call(this, chunk, ...rest);
    };
    await fill(500, 1_000);
    const followed = await follow(t);
    for (let n = 0; n < 40; n++) await report(n * 100_000, output("more\n", 600_000_000 + n));
    await finishRun(stage, id, "succeeded");
    await followed.ended();
    assert.equal(followed.all("log").length, 540);
    let before = Number.NEGATIVE_INFINITY;
    for (const [at, size] of sizes) {
      assert.ok(size >= 64 * 1024 || at - before >= 100, `${size} bytes after ${at - before} ms`);
      before = at;
    }
  });
});

describe("a place in a log", () => {
  const long = "=".repeat(70_000);
  /** Lines 1 to 100, of which 41 to 100 are in one piece; line 101 in three pieces; lines 102 to 250. */
  let all: string;
  beforeEach(async () => {
    const texts = [
      linesOf(40, "first"),
      linesOf(60, "second"),
      long,
      long,
      `${long}\n${linesOf(9, "after")}`,
      linesOf(140, "last"),
    ];
    await print(...texts);
    all = texts.join("");
    await finishRun(stage, id, "succeeded");
  });

  for (const [query, line] of [
    ["?from_line=1", 1],
    ["?from_line=40", 40],
    ["?from_line=77", 77],
    ["?from_line=101", 101],
    ["?from_line=102", 102],
    ["?from_line=250", 250],
    ["?from_line=251", 251],
    ["?from_line=90000", 251],
    ["?tail=1", 250],
    ["?tail=145", 106],
    ["?tail=5000", 1],
  ] as const) {
    it(`is found with ${query}`, async (t) => {
      const followed = await follow(t, query);
      await followed.ended();
      assert.equal(
        textOf(followed),
        all
          .split("\n")
          .slice(line - 1)
          .join("\n"),
      );
      if (line <= 250) assert.equal(followed.all("log")[0].first_line, line);
    });
  }

  it("is each id that was sent, in the header or one less than `after`", async (t) => {
    const whole = await follow(t);
    await whole.ended();
    const ids = whole.events.filter(({ event }) => event === "log").map(({ id }) => Number(id));
    const pieces: { text: string }[] = whole.all("log");
    for (const [at, lastEventId] of ids.entries()) {
      const rest = pieces
        .slice(at + 1)
        .map(({ text }) => text)
        .join("");
      // The header is of the newest connection, the query of the first one.
      for (const resumed of [
        await follow(t, "?tail=3", { lastEventId }),
        await follow(t, `?after=${lastEventId + 1}`),
      ]) {
        await resumed.ended();
        assert.equal(textOf(resumed), rest);
      }
    }
  });

  it("is the beginning when the id is none", async (t) => {
    const followed = await follow(t, "", { lastEventId: "1; drop table runs" });
    await followed.ended();
    assert.equal(textOf(followed), all);
  });

  it("is only one", async () => {
    for (const query of [
      "?after=3&tail=2",
      "?from_line=1&tail=2",
      "?tail=0",
      "?from_line=x",
      "?limit=5",
      "?after=-1",
    ]) {
      const reply = await call(stage.app, `GET /api/v1/deployments/${id}/log/stream${query}`, {
        token: stage.cast.alice,
      });
      assert.equal(reply.status, 422, query);
    }
  });
});

/** Lets the time until the next comment of each stream pass. */
async function beat(): Promise<void> {
  const feed = (await feedOf(stage.ctx)) as unknown as { beat(): void };
  for (let turn = 0; turn < 30; turn++) feed.beat();
}

/** A client that sends its request and reads nothing until it is resumed; what it has read. */
async function stalled(t: TestContext): Promise<{ resume: () => void; text: () => string; hasEnded: () => boolean }> {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  t.after(() => socket.destroy());
  let text = "";
  let hasEnded = false;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("end", () => {
    hasEnded = true;
  });
  const path = address().slice(origin.length);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${stage.cast.alice}\r\n\r\n`,
  );
  if (!(await pollUntil(() => text !== "", { timeoutMs: 30_000, everyMs: 1 }))) throw new Error("It did not begin");
  socket.pause();
  return { resume: () => socket.resume(), text: () => text, hasEnded: () => hasEnded };
}

describe("many clients", () => {
  it("at the same place share one read of each piece", async (t) => {
    await fill(400, 10_000);
    await finishRun(stage, id, "succeeded");
    let reads = 0;
    let looks = 0;
    const { query } = stage.pool;
    t.after(() => {
      stage.pool.query = query;
    });
    stage.pool.query = function (this: typeof stage.pool, ...args: unknown[]) {
      const [first] = args as [string | { text: string }];
      const text = typeof first === "string" ? first : first.text;
      if (text.includes("o.text, o.lines_before")) reads++;
      if (text.includes(" from events")) looks++;
      return (query as (...given: unknown[]) => unknown).apply(this, args);
    } as typeof query;
    const clients = await Promise.all(Array.from({ length: 40 }, () => follow(t)));
    for (const client of clients) await client.ended();
    assert.ok(clients.every((client) => textOf(client) === textOf(clients[0] as Followed)));
    assert.equal(clients[0]?.all("log").length, 400);
    // Four megabytes are 62 batches; alone, each client would have read them.
    assert.ok(reads < 3 * 62, `${reads} reads`);
    assert.ok(looks < 20, `${looks} looks at the newest event`);
  });

  it("that do not read cost little memory, and are cut with the place to continue from", async (t) => {
    await fill(600, 60_000);
    await finishRun(stage, id, "succeeded");
    const used = () => {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const atFirst = used();
    const clients = await Promise.all(Array.from({ length: 200 }, () => stalled(t)));
    const feed = (await feedOf(stage.ctx)) as unknown as { turnOf: Map<unknown, unknown> };
    let most = 0;
    const areCut = async () => {
      await beat();
      most = Math.max(most, used() - atFirst);
      return ![...feed.turnOf.keys()].some((each) => each instanceof LogStream);
    };
    assert.ok(await pollUntil(areCut, { timeoutMs: 60_000, everyMs: 500 }));
    // Buffered without a bound, they would take seven gigabytes. The clients of the test and what is not collected yet count too.
    assert.ok(most < 250 * 2 ** 20, `${most / 2 ** 20} MB`);
    const [client] = clients as [(typeof clients)[number]];
    client.resume();
    assert.ok(await pollUntil(client.hasEnded, { timeoutMs: 30_000 }));
    const [, place] = /event: cut\ndata: {"after":(\d+)}\n\n/.exec(client.text()) ?? [];
    const ids = [...client.text().matchAll(/^id: (\d+)$/gm)].map(([, each]) => Number(each));
    assert.deepEqual(
      ids,
      ids.map((_, at) => at * 1_000_000),
    );
    assert.equal(Number(place), Number(ids.at(-1)) + 1);
    const rest = await follow(t, `?after=${place}`);
    await rest.ended();
    assert.equal(rest.all("log").length, 600 - ids.length);
  });

  it("have a limit for each account", async (t) => {
    const clients = await Promise.all(Array.from({ length: 250 }, () => follow(t, "", { token: stage.cast.adam })));
    const refused = await call(stage.app, `GET /api/v1/deployments/${id}/log/stream`, { token: stage.cast.adam });
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "15"]);
    assert.equal((await follow(t)).status, 200);
    clients[0]?.stop();
    const isAdmitted = async () => (await follow(t, "", { token: stage.cast.adam })).status === 200;
    assert.ok(await pollUntil(isAdmitted, { timeoutMs: 30_000 }));
  });

  it("show that they are alive", async (t) => {
    const followed = await follow(t);
    await followed.until(() => followed.all("status").length === 1);
    await beat();
    await followed.until(() => followed.comments.length > 0);
    assert.ok(!followed.hasEnded());
  });
});

describe("access to a log that is followed", () => {
  const readsNoMore = async (followed: Followed, revoke: () => Promise<unknown>) => {
    await print("before\n");
    await followed.until(() => textOf(followed) === "before\n");
    await revoke();
    await print("after\n");
    await followed.ended();
    assert.equal(textOf(followed), "before\n");
    assert.deepEqual(followed.all("end"), []);
  };

  it("ends with its token, before anything else is sent", async (t) => {
    const token = await tokenOf(stage.pool, "Alice");
    const [followed, stays] = [await follow(t, "", { token }), await follow(t)];
    await readsNoMore(followed, () => stage.pool.query("delete from tokens where prefix = $1", [token.slice(0, 8)]));
    await stays.until(() => textOf(stays) === "before\nafter\n");
  });

  it("ends with the membership, or when that does not reach the project any more", async (t) => {
    const other = await addProvisioned(stage);
    const changes = [
      () => restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [other], projects: [] }),
      () => stage.pool.query("delete from memberships where user_id = $1", [stage.cast.userIds.bob]),
    ];
    for (const change of changes) {
      const restored = await addProject(stage.pool, server);
      id = await begin(restored, server);
      await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [server], projects: [] });
      await readsNoMore(await follow(t, "", { token: stage.cast.bob }), change);
    }
  });

  it("ends when the project leaves the server that a member is restricted to", async (t) => {
    const [here, there] = [await addProvisioned(stage), await addProvisioned(stage)];
    await restrict(stage.pool, "Victor", stage.cast.organizationId, { servers: [here], projects: [] });
    const moved = await addProject(stage.pool, here);
    id = await begin(moved, here);
    const { organizationId } = stage.cast;
    await readsNoMore(await follow(t, "", { token: stage.cast.victor }), () =>
      transaction(stage.pool, async (tx) => {
        await tx.query("delete from placements where project_id = $1", [moved]);
        await tx.query("update projects set server_id = $2 where id = $1", [moved, there]);
        await tx.query("insert into placements (project_id, server_id, role) values ($1, $2, 'own')", [moved, there]);
        const event = { organizationId, serverId: there, projectId: moved };
        await emitEvent(tx, { ...event, name: "project.updated", data: { id: moved } });
      }),
    );
  });

  it("ends when the project is deleted", async (t) => {
    const followed = await follow(t);
    await followed.until(() => followed.all("status").length === 1);
    const { status } = await call(stage.app, `DELETE /api/v1/project/${project}`, { token: stage.cast.alice });
    assert.equal(status, 200);
    await followed.ended();
    assert.deepEqual(followed.all("end"), []);
  });

  it("is refused to others", async () => {
    for (const [token, expected] of [
      [stage.cast.charlie, 404],
      [await tokenOf(stage.pool, "Alice", "server:read"), 403],
    ] as const)
      assert.equal((await call(stage.app, `GET /api/v1/deployments/${id}/log/stream`, { token })).status, expected);
  });
});
