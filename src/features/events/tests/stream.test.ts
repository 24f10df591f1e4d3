import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import type { PoolClient } from "pg";
import { transaction } from "../../../db/transaction.ts";
import { emitEvent, eventPlacement, placeEvents } from "../../../engine/events.ts";
import { restrict, tokenOf } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { adminMember } from "../../accounts/admin.ts";
import { blockUser, unblockUser } from "../../accounts/operator/actions.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../servers/tests/support.ts";
import { feedOf } from "../feed.ts";
import { sweepEvents } from "../jobs.ts";

let stage: Stage;
let origin: string;
let server: number;
let other: number;

before(async () => {
  stage = await openStage();
  origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
});
after(() => stage?.close());
beforeEach(async () => {
  server = await addProvisioned(stage);
  other = await addProvisioned(stage);
});

interface ReceivedEvent {
  id: number;
  event: string;
  data: Record<string, unknown>;
}

/** One listener over HTTP, with what it received. */
interface Listening {
  status: number;
  contentType: string;
  events: ReceivedEvent[];
  comments: string[];
  /** The id with which the stream began, or the latest one without an event. */
  beganAt(): number;
  names(): string[];
  /** Resolves when so many events were received. */
  count(events: number): Promise<ReceivedEvent[]>;
  hasEnded: boolean;
}

interface ListenOptions {
  token?: string;
  lastEventId?: number | string;
  path?: string;
}

async function listen(t: TestContext, options: ListenOptions = {}): Promise<Listening> {
  const { token = stage.cast.alice, lastEventId, path = "/api/v1/events" } = options;
  const stop = new AbortController();
  t.after(() => stop.abort());
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
  };
  const response = await fetch(`${origin}${path}`, { headers, signal: stop.signal });
  const listening = listeningTo(response);
  await pollUntil(() => listening.beganAt() >= 0 || listening.hasEnded, { timeoutMs: 30_000 });
  return listening;
}

function listeningTo(response: Response): Listening {
  let began = -1;
  const listening: Listening = {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    events: [],
    comments: [],
    hasEnded: false,
    beganAt: () => began,
    names: () => listening.events.map((event) => event.event),
    count: async (wanted) => {
      await pollUntil(() => listening.events.length >= wanted, { timeoutMs: 30_000 });
      return listening.events;
    },
  };
  const onBlock = (block: string) => {
    const fields = new Map(block.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
    const id = Number(fields.get("id") ?? 0);
    const data = fields.get("data");
    if (fields.has("")) listening.comments.push(fields.get("") ?? "");
    if (fields.has("") && id === 0) return;
    if (data === undefined) began = id;
    else listening.events.push({ id, event: fields.get("event") ?? "", data: JSON.parse(data) });
  };
  void readBlocks(response, onBlock).finally(() => {
    listening.hasEnded = true;
  });
  return listening;
}

async function readBlocks(response: Response, onBlock: (block: string) => void): Promise<void> {
  let text = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) onBlock(block);
    }
  } catch {
    // The test is over.
  }
}

const emit = (
  name: string,
  more: { organizationId?: number; serverId?: number; projectId?: number; n?: number } = {},
) =>
  transaction(stage.pool, (tx) =>
    emitEvent(tx, { organizationId: stage.cast.organizationId, ...more, name, data: { id: more.n ?? 1 } }),
  );

/** The positions of the events of a name, in order. */
const placesOf = async (name: string): Promise<string[]> => {
  const { rows } = await stage.pool.query(
    "select data ->> 'n' as n from events where name = $1 and position is not null order by position",
    [name],
  );
  return rows.map(({ n }) => n);
};

describe("the event stream", () => {
  it("sends what happens from now on, with ids that grow", async (t) => {
    const listening = await listen(t);
    assert.equal(listening.status, 200);
    assert.match(listening.contentType, /^text\/event-stream/);
    await emit("server.updated", { serverId: server });
    await emit("deployment.updated", { serverId: server, projectId: 7, n: 12 });
    const [first, second] = await listening.count(2);
    assert.deepEqual([first?.event, second?.event], ["server.updated", "deployment.updated"]);
    assert.ok((first?.id ?? 0) > listening.beganAt());
    assert.ok((second?.id ?? 0) > (first?.id ?? 0));
    const { created_at, ...data } = second?.data ?? {};
    assert.deepEqual(data, { id: 12, server_id: server, project_id: 7 });
    assert.match(String(created_at), /^\d{4}-\d\d-\d\dT.*\.\d{6}Z$/);
  });

  it("sends the chosen kinds: all of a noun, or one name", async (t) => {
    const path = "/api/v1/events?kinds=deployment.log,monitor&kinds[]=server.deleted";
    const listening = await listen(t, { path });
    for (const [n, name] of [
      ...["deployment.updated", "deployment.log", "monitor.updated", "server.updated", "server.deleted"].entries(),
    ])
      await emit(name, { serverId: server, n: 1_000 + n });
    assert.deepEqual(
      (await listening.count(3)).map(({ event }) => event),
      ["deployment.log", "monitor.updated", "server.deleted"],
    );
    const refused = await fetch(`${origin}/api/v1/events?kinds=nothing`, {
      headers: { authorization: `Bearer ${stage.cast.alice}` },
    });
    assert.equal(refused.status, 422);
  });

  it("sends what a trigger recorded as soon as it is committed, with the state of the record", async (t) => {
    const listening = await listen(t, { path: "/api/v1/events?kinds=group,attention,server" });
    await stage.pool.query("insert into project_groups (organization_id, name) values ($1, 'Shop')", [
      stage.cast.organizationId,
    ]);
    await stage.pool.query("update servers set connection_status = 0 where id = $1", [server]);
    await emit("server.updated", { serverId: server, n: server });
    await stage.pool.query("delete from project_groups");
    const [made, attention, updated, deleted] = await listening.count(4);
    assert.deepEqual([made?.event, made?.data.deleted], ["group.updated", undefined]);
    assert.deepEqual(
      [attention?.event, attention?.data.noun, attention?.data.id],
      ["attention.updated", "server", server],
    );
    assert.deepEqual([updated?.event, updated?.data.state], ["server.updated", "unreachable"]);
    assert.deepEqual([deleted?.event, deleted?.data.deleted], ["group.updated", true]);
  });

  it("sends what is one user's alone to that user only", async (t) => {
    const path = "/api/v1/events?kinds=preferences,token,group";
    const [alice, bob] = [await listen(t, { path }), await listen(t, { path, token: stage.cast.bob })];
    await stage.pool.query("insert into user_preferences (user_id) values ($1)", [stage.cast.userIds.bob]);
    await stage.pool.query("update tokens set name = 'Renamed' where user_id = $1", [stage.cast.userIds.bob]);
    await emit("group.updated");
    assert.deepEqual(
      (await alice.count(1)).map(({ event }) => event),
      ["group.updated"],
    );
    assert.deepEqual(
      (await bob.count(3)).map(({ event }) => event),
      ["preferences.updated", "token.updated", "group.updated"],
    );
  });

  it("sends nothing of other organizations", async (t) => {
    const [alice, charlie] = [await listen(t), await listen(t, { token: stage.cast.charlie })];
    await emit("server.updated", { serverId: server });
    await emit("server.updated", { organizationId: stage.cast.charlieOrganizationId, n: 99 });
    assert.deepEqual(
      (await charlie.count(1)).map((event) => event.data.id),
      [99],
    );
    assert.deepEqual(
      (await alice.count(1)).map((event) => event.data.id),
      [1],
    );
  });

  it("sends a restricted member only what is in reach", async (t) => {
    const listed = await addProject(stage.pool, other);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [server], projects: [listed] });
    const bob = await listen(t, { token: stage.cast.bob });
    await emit("server.updated", { serverId: other, n: 1 });
    await emit("project.updated", { serverId: other, projectId: listed + 1000, n: 2 });
    await emit("organization.updated", { n: 3 });
    await emit("project.updated", { serverId: other, projectId: listed, n: 4 });
    await emit("project.updated", { serverId: server, projectId: listed + 1000, n: 5 });
    await emit("server.updated", { serverId: server, n: 6 });
    assert.deepEqual(
      (await bob.count(3)).map((event) => event.data.id),
      [4, 5, 6],
    );
    await adminMember(stage, {
      email: "bob@example.com",
      organization: String(stage.cast.organizationId),
      role: "Member",
    });
  });

  it("sends a token only what it may read", async (t) => {
    const narrow = await listen(t, { token: await tokenOf(stage.pool, "Alice", "monitor:read") });
    for (const name of ["server.updated", "project.updated", "deployment.log", "certificate.updated"]) await emit(name);
    await emit("monitor.updated");
    await narrow.count(1);
    assert.deepEqual(narrow.names(), ["monitor.updated"]);
  });

  it("needs a token", async (t) => {
    assert.equal((await listen(t, { token: "lsh_nobody" })).status, 401);
  });
});

describe("resuming", () => {
  it("sends what was missed, once and in order, and continues", async (t) => {
    const first = await listen(t);
    await emit("server.updated", { n: 1 });
    const [last] = await first.count(1);
    for (let n = 2; n <= 700; n++) await emit("server.updated", { n });
    const resumed = await listen(t, { lastEventId: last?.id ?? 0 });
    await emit("server.updated", { n: 701 });
    const events = await resumed.count(700);
    assert.deepEqual(
      events.map((event) => event.data.id),
      Array.from({ length: 700 }, (_, index) => index + 2),
    );
  });

  it("works with the query for clients that cannot set the header", async (t) => {
    const { newest } = await (await feedOf(stage.ctx)).join({
      organizationId: 0,
      userId: 0,
      onEvent() {},
      onLoss() {},
      beat() {},
      recheck() {},
    });
    await emit("server.updated", { n: 5 });
    const resumed = await listen(t, { path: `/api/v1/events?last_event_id=${newest}` });
    assert.deepEqual(
      (await resumed.count(1)).map((event) => event.data.id),
      [5],
    );
  });

  it("misses no event whose transaction was the last to commit, though it was the first to emit", async (t) => {
    const slow = await stage.pool.connect();
    await slow.query("begin");
    await emitEvent(slow, { organizationId: stage.cast.organizationId, name: "server.updated", data: { id: 1 } });
    const listening = await listen(t);
    await emit("server.updated", { n: 2 });
    const [seen] = await listening.count(1);
    await slow.query("commit");
    slow.release();
    const resumed = await listen(t, { lastEventId: seen?.id ?? 0 });
    assert.deepEqual(
      (await resumed.count(1)).map((event) => event.data.id),
      [1],
    );
    assert.deepEqual(
      (await listening.count(2)).map((event) => event.data.id),
      [2, 1],
    );
  });

  it("begins now for an id that is none", async (t) => {
    await emit("server.updated", { n: 1 });
    const listening = await listen(t, { lastEventId: "x'; drop table events" });
    await emit("server.updated", { n: 2 });
    assert.deepEqual(
      (await listening.count(1)).map((event) => event.data.id),
      [2],
    );
  });

  it("reports when events were missed that are not kept any more", async (t) => {
    const first = await listen(t);
    for (const n of [1, 2, 3]) await emit("server.updated", { n });
    const [one, , three] = await first.count(3);
    await stage.pool.query("update events set created_at = now() - interval '8 days' where position <= $1", [
      three?.id,
    ]);
    await sweepEvents(stage.ctx, new AbortController().signal);
    await emit("server.updated", { n: 4 });
    const late = await listen(t, { lastEventId: one?.id ?? 0 });
    await late.count(2);
    assert.deepEqual(late.names(), ["events.missed", "server.updated"]);
    const intime = await listen(t, { lastEventId: three?.id ?? 0 });
    await intime.count(1);
    assert.deepEqual(intime.names(), ["server.updated"]);
    const future = await listen(t, { lastEventId: 1e12 });
    await future.count(1);
    assert.deepEqual(future.names(), ["events.missed"]);
  });
});

/** What is left after a failover to a standby that lacks the last events, whose positions are given again. */
const loseEventsAfter = async (position: number): Promise<void> => {
  await stage.pool.query("delete from events where position > $1", [position]);
  await stage.pool.query("select setval('event_positions', $1)", [position]);
};

describe("a database that lost events", () => {
  for (const made of [0, 2, 5]) {
    it(`is announced to a connected stream, and sends what follows, also after ${made} new events`, async (t) => {
      const listening = await listen(t);
      for (const n of [1, 2, 3]) await emit("server.updated", { serverId: server, n });
      const [kept] = await listening.count(3);
      const feed = await feedOf(stage.ctx);
      const reader = feed as unknown as { reading: boolean };
      await pollUntil(() => !reader.reading, { timeoutMs: 10_000 });
      // Nothing is read until the process has a connection again.
      reader.reading = true;
      await loseEventsAfter(kept?.id ?? 0);
      for (let n = 1; n <= made; n++) await emit("server.updated", { serverId: server, n: 10 + n });
      await placeEvents(stage.pool);
      reader.reading = false;
      await feed.wake();
      await listening.count(4);
      assert.equal(listening.names()[3], "events.missed");
      await emit("server.updated", { serverId: server, n: 99 });
      await listening.count(5);
      assert.equal(listening.events[4]?.data.id, 99);
      const resumed = await listen(t, { lastEventId: listening.events[4]?.id ?? 0 });
      assert.deepEqual(resumed.names(), []);
    });
  }

  it("is announced when it has lost all of them, as soon as there is one again", async (t) => {
    const listening = await listen(t);
    for (const n of [1, 2, 3]) await emit("server.updated", { serverId: server, n });
    await listening.count(3);
    await stage.pool.query("delete from events");
    await stage.pool.query("alter sequence event_positions restart");
    await (await feedOf(stage.ctx)).wake();
    await emit("server.updated", { serverId: server, n: 4 });
    await listening.count(4);
    assert.equal(listening.names()[3], "events.missed");
    await emit("server.updated", { serverId: server, n: 5 });
    await listening.count(5);
    assert.equal(listening.events[4]?.data.id, 5);
  });

  it("is announced to a client that comes back, although other events have passed its position", async (t) => {
    const [gone, stays] = [await listen(t), await listen(t)];
    for (const n of [1, 2, 3]) await emit("server.updated", { serverId: server, n });
    const [kept, , lost] = await gone.count(3);
    await stays.count(3);
    await loseEventsAfter(kept?.id ?? 0);
    await (await feedOf(stage.ctx)).wake();
    await stays.count(4);
    for (let n = 1; n <= 5; n++) await emit("server.updated", { serverId: server, n: 10 + n });
    await stays.count(9);
    const back = await listen(t, { lastEventId: lost?.id ?? 0 });
    await back.count(1);
    assert.equal(back.names()[0], "events.missed");
  });
});

describe("a stream", () => {
  const beat = async () => {
    const feed = (await feedOf(stage.ctx)) as unknown as { beat(): void };
    for (let turn = 0; turn < 30; turn++) feed.beat();
  };

  it("resumes after events that were not for it", async (t) => {
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [server], projects: [] });
    const bob = await listen(t, { token: stage.cast.bob });
    const alice = await listen(t);
    const begin = bob.beganAt();
    for (const n of [1, 2, 3]) await emit("server.updated", { serverId: other, n });
    const [, , last] = await alice.count(3);
    await beat();
    assert.ok(await pollUntil(() => bob.beganAt() === last?.id, { timeoutMs: 30_000 }), `${bob.beganAt()}`);
    // The same for one that reads what it missed.
    const late = await listen(t, { token: stage.cast.bob, lastEventId: begin });
    assert.ok(await pollUntil(() => late.beganAt() === last?.id, { timeoutMs: 30_000 }), `${late.beganAt()}`);
    assert.deepEqual([bob.events, late.events], [[], []]);
    await adminMember(stage, {
      email: "bob@example.com",
      organization: String(stage.cast.organizationId),
      role: "Member",
    });
  });

  it("resumes at the newest event when those of other organizations passed", async (t) => {
    const charlie = await listen(t, { token: stage.cast.charlie });
    const alice = await listen(t);
    await emit("server.updated", { serverId: server });
    const [last] = await alice.count(1);
    await beat();
    assert.ok(await pollUntil(() => charlie.beganAt() === last?.id, { timeoutMs: 30_000 }), `${charlie.beganAt()}`);
  });

  it("shows that it is alive", async (t) => {
    const listening = await listen(t);
    await beat();
    assert.ok(await pollUntil(() => listening.comments.length > 0, { timeoutMs: 30_000 }));
    assert.equal(listening.hasEnded, false);
  });

  it("ends when its token is revoked or expires", async (t) => {
    for (const end of [
      "delete from tokens where prefix = $1",
      "update tokens set expires_at = now() where prefix = $1",
    ]) {
      const token = await tokenOf(stage.pool, "Alice");
      const [listening, stays] = [await listen(t, { token }), await listen(t)];
      await stage.pool.query(end, [token.slice(0, 8)]);
      await beat();
      assert.ok(await pollUntil(() => listening.hasEnded, { timeoutMs: 30_000 }));
      assert.equal(stays.hasEnded, false);
    }
  });

  it("ends when the membership changes", async (t) => {
    const organization = String(stage.cast.organizationId);
    const change = (role: string, more = {}) =>
      adminMember(stage, { email: "bob@example.com", organization, role, ...more });
    const changes = [() => change("Admin"), () => change("Admin", { servers: [server] }), () => change("Member")];
    for (const make of changes) {
      const listening = await listen(t, { token: stage.cast.bob });
      await beat();
      assert.equal(listening.hasEnded, false);
      await make();
      await beat();
      assert.ok(await pollUntil(() => listening.hasEnded, { timeoutMs: 30_000 }));
    }
  });

  it("ends when the account is blocked", async (t) => {
    const [listening, stays] = [await listen(t, { token: stage.cast.bob }), await listen(t)];
    await blockUser(stage, "bob@example.com");
    assert.ok(await pollUntil(() => listening.hasEnded, { timeoutMs: 30_000 }));
    assert.equal(stays.hasEnded, false);
    await unblockUser(stage, "bob@example.com");
  });

  it("continues after the connection that listens was lost", async (t) => {
    const listening = await listen(t);
    await stage.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()",
      ["longshore listener"],
    );
    await emit("server.updated", { n: 1 });
    await listening.count(1);
    assert.deepEqual(listening.names(), ["server.updated"]);
  });

  it("shares one connection and one query with all others", async (t) => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen(t)));
    const feed = (await feedOf(stage.ctx)) as unknown as { ctx: { pool: typeof stage.pool } };
    const { pool } = feed.ctx;
    let queries = 0;
    const query = (text: never) => {
      queries++;
      return pool.query(text);
    };
    feed.ctx = { ...feed.ctx, pool: Object.create(pool, { query: { value: query } }) };
    await emit("server.updated", { n: 1 });
    for (const stream of streams) assert.equal((await stream.count(1)).length, 1);
    feed.ctx.pool = pool;
    // A beat may come in between.
    assert.ok(queries <= 3, `${queries} queries`);
    const { rows } = await stage.pool.query(
      "select 1 from pg_stat_activity where application_name = 'longshore listener' and datname = current_database()",
    );
    assert.equal(rows.length, 1);
  });

  it("gets an event that could not be read at first with the next one", async (t) => {
    const listening = await listen(t);
    const feed = (await feedOf(stage.ctx)) as unknown as { ctx: { pool: typeof stage.pool } };
    const { pool } = feed.ctx;
    const failed = Promise.withResolvers<void>();
    const query = () => {
      failed.resolve();
      return Promise.reject(new Error("The database is restarting."));
    };
    feed.ctx = { ...feed.ctx, pool: Object.create(pool, { query: { value: query } }) };
    await emit("server.updated", { n: 1 });
    await failed.promise;
    feed.ctx.pool = pool;
    await emit("server.updated", { n: 2 });
    assert.equal((await listening.count(2)).length, 2);
  });

  it("gets what happens while the feed reads for the organizations that listened before", async (t) => {
    await listen(t);
    type Pool = typeof stage.pool;
    const { charlie, charlieOrganizationId } = stage.cast;
    const feed = (await feedOf(stage.ctx)) as unknown as {
      ctx: { pool: Pool };
      subscribers: Map<number, Set<{ isBehind: boolean }>>;
    };
    const { pool } = feed.ctx;
    const [begun, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const query = async (text: never) => {
      feed.ctx.pool = pool;
      begun.resolve();
      await resumed.promise;
      return pool.query(text);
    };
    feed.ctx.pool = Object.create(pool, { query: { value: query } });
    await emit("server.updated");
    await begun.promise;
    const listening = await listen(t, { token: charlie });
    const streams = () => [...(feed.subscribers.get(charlieOrganizationId) ?? [])];
    assert.ok(await pollUntil(() => streams().some(({ isBehind }) => !isBehind), { timeoutMs: 30_000 }), "it kept up");
    await emit("server.updated", { organizationId: charlieOrganizationId, n: 2 });
    await emit("server.updated", { n: 3 });
    await placeEvents(stage.pool);
    resumed.resolve();
    assert.equal((await listening.count(1)).length, 1);
  });

  it("whose client does not read keeps little in memory, delays no other, and loses nothing", async (t) => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const headers = { authorization: `Bearer ${stage.cast.alice}` };
    const slow = await fetch(`${origin}/api/v1/events`, { headers, signal: stop.signal });
    const quick = await listen(t);
    const total = 4_000;
    await stage.pool.query(
      `insert into events (organization_id, name, data)
       select $1, 'server.updated', jsonb_build_object('id', n, 'text', repeat('x', 4000)) from generate_series(1, $2::int) n`,
      [stage.cast.organizationId, total],
    );
    await emit("server.updated", { n: total + 1 });
    assert.ok(await pollUntil(() => quick.events.length === total + 1, { timeoutMs: 30_000 }));
    const feed = (await feedOf(stage.ctx)) as unknown as { subscribers: Map<number, Set<{ readableLength: number }>> };
    const buffered = [...(feed.subscribers.get(stage.cast.organizationId) ?? [])].map(
      (stream) => stream.readableLength,
    );
    assert.ok(Math.max(...buffered) < 200_000, `${Math.max(...buffered)} bytes are kept`);
    const late = listeningTo(slow);
    assert.ok(await pollUntil(() => late.events.length === total + 1, { timeoutMs: 30_000 }));
    assert.deepEqual(
      late.events.map((event) => event.data.id),
      Array.from({ length: total + 1 }, (_, index) => index + 1),
    );
  });
});

describe("events", () => {
  it("get later positions than all that could be read before, whatever transaction recorded them first", async () => {
    const record = (tx: PoolClient, n: number) =>
      emitEvent(tx, { organizationId: stage.cast.organizationId, name: "test.overlap", data: { n } });
    const early = await stage.pool.connect();
    await early.query("begin");
    await record(early, 1);
    await transaction(stage.pool, (tx) => record(tx, 2));
    await placeEvents(stage.pool);
    assert.deepEqual(await placesOf("test.overlap"), ["2"]);
    await early.query("commit");
    early.release();
    await placeEvents(stage.pool);
    assert.deepEqual(await placesOf("test.overlap"), ["2", "1"]);
  });

  it("of one transaction get them in the order in which they were recorded, whatever was taken back", async () => {
    const { organizationId } = stage.cast;
    await transaction(stage.pool, async (tx) => {
      const record = (n: number) => emitEvent(tx, { organizationId, name: "test.placed", data: { n } });
      for (const n of [1, 2]) await record(n);
      await tx.query("savepoint part");
      await record(0);
      await tx.query("rollback to savepoint part");
      for (const n of [3, 4]) await record(n);
    });
    await placeEvents(stage.pool);
    assert.deepEqual(await placesOf("test.placed"), ["1", "2", "3", "4"]);
  });

  it("of one transaction that say the same of a record are one, the last", async () => {
    const { organizationId } = stage.cast;
    const record = (tx: PoolClient, name: string, data: object) =>
      emitEvent(tx, { organizationId, name, data: { ...data } });
    await transaction(stage.pool, async (tx) => {
      for (const n of [1, 2, 1]) await record(tx, "test.updated", { n });
      for (const n of [3, 3]) await record(tx, "test.repeated", { n });
    });
    await transaction(stage.pool, (tx) => record(tx, "test.updated", { n: 1 }));
    await placeEvents(stage.pool);
    assert.deepEqual(await placesOf("test.updated"), ["2", "1", "1"]);
    assert.deepEqual(await placesOf("test.repeated"), ["3", "3"]);
  });

  it("are committed while another process assigns positions, and several get theirs at once", async () => {
    const placing = await stage.pool.connect();
    await placing.query("begin");
    await placing.query("select pg_advisory_xact_lock(7235002)");
    await Promise.all(Array.from({ length: 5 }, (_, n) => emit("test.unhindered", { n })));
    const { rows } = await stage.pool.query("select 1 from events where name = 'test.unhindered'");
    assert.equal(rows.length, 5);
    await placing.query("commit");
    placing.release();
    assert.ok(await pollUntil(async () => (await placesOf("test.unhindered")).length === 5, { timeoutMs: 10_000 }));
  });

  it("whose process ended before they had a position get one from the sweep, and are announced", async (t) => {
    const listening = await listen(t);
    await stage.pool.query("insert into events (organization_id, name, data) values ($1, 'server.updated', '{}')", [
      stage.cast.organizationId,
    ]);
    await eventPlacement(stage.ctx).work(new AbortController().signal);
    assert.equal((await listening.count(1)).length, 1);
  });

  it("are deleted when they are older than the setting allows", async () => {
    await emit("server.updated");
    await stage.pool.query(
      `insert into events (organization_id, name, data, created_at)
       select $1, 'server.updated', '{}', now() - interval '7 days 1 hour' from generate_series(1, 6000)`,
      [stage.cast.organizationId],
    );
    await sweepEvents(stage.ctx, new AbortController().signal);
    const { rows } = await stage.pool.query(
      "select count(*) as count, min(created_at) > now() - interval '7 days' as young from events",
    );
    assert.ok(rows[0].count > 0 && rows[0].young);
  });
});
