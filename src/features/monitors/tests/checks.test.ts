import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { startDnsServer } from "../../../../stage/dns-server.ts";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { loadConfig } from "../../../config.ts";
import { row, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import type { Clock } from "../../../lib/clock.ts";
import { noticeDue, recordCertificate } from "../checks/certificates.ts";
import { Checker } from "../checks/checker.ts";
import { RecentResults } from "../checks/local-outage.ts";
import { listChecked, shardCount } from "../checks/queries.ts";
import { confirmationPauseMs, intervalMsOf, nextSlot, slotOf } from "../checks/slots.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  eventsOf,
  intervalsOf,
  noticesOf,
  openStage,
  type Stage,
  storedMonitor,
} from "./support.ts";

let stage: Stage;
let server: number;
let project: number;
let site: Server;
let url: string;
let monitor: number;
let checker: Checker;
let requests: number;
/** The site's status; undefined: it closes the connection. */
let status: number | undefined;
let held: { asked: () => void; answered: Promise<void> } | undefined;

/** Time that passes when a test advances it. */
class ManualClock implements Clock {
  time = Date.UTC(2026, 2, 1, 12);
  now(): Date {
    return new Date(this.time);
  }
}
let clock: ManualClock;

before(async () => {
  stage = await openStage();
  site = createServer(async (request, response) => {
    requests++;
    held?.asked();
    await held?.answered;
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end("fine");
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  server = await addProvisioned(stage, { name: "web" });
  project = await addProject(stage.pool, server);
});
after(async () => {
  site.close();
  await stage.close();
});
beforeEach(async () => {
  clock = new ManualClock();
  [status, requests] = [200, 0];
  await stage.pool.query("delete from monitors");
  await stage.pool.query("delete from runs");
  monitor = await addMonitor(stage, project, { url });
  checker = await openChecker();
});
afterEach(() => dropAll(checker));

const allowed = loadConfig({}, { monitorAllow: "127.0.0.0/8", dnsServers: "127.0.0.1:9" });

/** A process that checks all monitors. */
async function openChecker(): Promise<Checker> {
  const opened = new Checker({ ...stage.ctx, config: allowed }, { clock });
  for (let shard = 0; shard < shardCount; shard++) await opened.addShard(shard);
  return opened;
}

async function dropAll(opened: Checker): Promise<void> {
  for (let shard = 0; shard < shardCount; shard++) await opened.dropShard(shard);
}

/** Lets time pass in steps, and runs everything that is due. */
async function pass(seconds: number, stepSeconds = 1): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    clock.time += stepSeconds * 1_000;
    checker.startDue();
    await checker.settled();
  }
}

const changeInterval = (seconds: number) =>
  stage.pool.query("update monitors set interval_seconds = $2, revision = revision + 1 where id = $1", [
    monitor,
    seconds,
  ]);

/** The site answers when `now` is called. */
function holdAnswers(): { asked: Promise<void>; now: () => void } {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  held = { asked: asked.resolve, answered: answered.promise };
  return {
    asked: asked.promise,
    now: () => {
      held = undefined;
      answered.resolve();
    },
  };
}

const minutes = (count: number): Promise<void> => pass(60 * count);
const stored = () => storedMonitor(stage, monitor);
const statuses = async () => (await eventsOf(stage, monitor)).map((event) => event.status);

describe("the checker", () => {
  it("marks a new monitor as up after its first check", async () => {
    await pass(1);
    assert.equal((await stored()).current_status, "up");
    assert.deepEqual(await statuses(), ["up"]);
    assert.deepEqual(await noticesOf(stage, monitor), []);
  });

  it("checks once per interval, at the monitor's slot", async () => {
    await pass(1);
    requests = 0;
    await minutes(10);
    assert.equal(requests, 10);
    // Also when one begins a few milliseconds before its slot.
    await pass(180, 0.03);
    assert.equal(requests, 13);
    await checker.store();
    const { last_checked_at } = await stored();
    const bucketMs = 100;
    const late = (Date.parse(last_checked_at ?? "") - slotOf(monitor, 60_000) + bucketMs) % 60_000;
    assert.ok(late <= 2 * bucketMs, `${late - bucketMs} ms after the slot`);
  });

  it("reports an outage after the threshold of failures, with one event and one notice", async () => {
    await minutes(2);
    [status, requests] = [500, 0];
    await minutes(3);
    assert.deepEqual(await statuses(), ["up", "down"]);
    const [notice, ...others] = await noticesOf(stage, monitor);
    assert.equal(notice?.title, "Shop is down");
    assert.deepEqual(others, []);
    const [, down] = await eventsOf(stage, monitor);
    assert.equal(down?.context.status, 500);
    assert.equal(down?.context.error, "unexpected_status");
    assert.equal(down?.context.failures, 3);
  });

  it("confirms an outage within 30 seconds of the first failure, which is its start", async () => {
    await minutes(2);
    status = undefined;
    let failedAt = 0;
    const before = requests;
    while (requests === before) {
      await pass(1);
      failedAt = clock.time;
    }
    await pass(31);
    assert.equal((await stored()).current_status, "down");
    const down = (await intervalsOf(stage, monitor)).at(-1);
    assert.equal(down?.state, "down");
    assert.equal(Date.parse(down?.started_at ?? ""), failedAt);
  });

  it("resets the failure count when a check passes", async () => {
    await minutes(2);
    for (let n = 0; n < 4; n++) {
      status = 500;
      const before = requests;
      while (requests < before + 2) await pass(1);
      status = 200;
      while (requests < before + 3) await pass(1);
    }
    assert.deepEqual(await statuses(), ["up"]);
  });

  it("ends an outage with the first check that passes", async () => {
    await minutes(2);
    status = 503;
    await minutes(3);
    status = 200;
    await minutes(1);
    assert.deepEqual(await statuses(), ["up", "down", "up"]);
    const [, down] = await eventsOf(stage, monitor);
    assert.notEqual(down?.resolved_at, null);
    assert.deepEqual(
      (await noticesOf(stage, monitor)).map(({ topic }) => topic),
      ["monitor.down", "monitor.up"],
    );
  });

  it("reports a monitor as down that was never up", async () => {
    status = 500;
    await minutes(2);
    assert.deepEqual(await statuses(), ["down"]);
  });

  it("stores hourly counts in one statement, and no event per check", async () => {
    await minutes(120);
    await checker.store();
    const counted = await row<{ checks: number; ok: number; latency: number; statuses: number }>(
      stage.pool,
      sql`
        select sum(checks)::integer as checks, sum(ok)::integer as ok, count(*) as hours,
          sum((select sum(n) from unnest(latency) n))::integer as latency, sum(statuses[3])::integer as statuses
        from monitor_hours where monitor_id = ${monitor}
      `,
    );
    assert.equal(counted?.checks, requests);
    assert.equal(counted?.ok, requests);
    assert.equal(counted?.latency, requests);
    assert.equal(counted?.statuses, requests);
    const events = await row<{ count: number }>(
      stage.pool,
      sql`select count(*) from events where name = 'monitor.updated' and (data->>'id')::bigint = ${monitor}`,
    );
    assert.equal(events?.count, 1);
  });

  it("keeps the newest results one by one, across processes", async () => {
    const recent = async () => {
      const { body } = await call(stage.app, `GET /api/v1/monitors/${monitor}`, { token: stage.cast.alice });
      return body.data.recent as { ok: boolean; ms: number | null }[];
    };
    assert.deepEqual(await recent(), []);
    await minutes(2);
    status = undefined;
    await minutes(1);
    await checker.store();
    const first = await recent();
    assert.equal(first.length, requests);
    assert.equal(first[0]?.ok, true);
    assert.ok(Number.isInteger(first[0]?.ms));
    assert.deepEqual(first.at(-1), { ok: false, ms: null });
    await dropAll(checker);
    checker = await openChecker();
    status = 200;
    await minutes(50);
    await checker.store();
    const later = await recent();
    assert.ok(later.length > 50 && later.length <= 60);
    assert.deepEqual(
      later.slice(0, first.length).map(({ ok }) => ok),
      first.map(({ ok }) => ok),
    );
    await minutes(30);
    await checker.store();
    assert.equal((await recent()).length, 60);
    assert.ok((await recent()).every(({ ok }) => ok));
  });

  it("keeps results that could not be stored for the next time", async () => {
    await minutes(3);
    await stage.pool.query("alter table monitor_hours rename to away");
    await assert.rejects(checker.store());
    await stage.pool.query("alter table away rename to monitor_hours");
    await minutes(2);
    await checker.store();
    const counted = await row<{ checks: number }>(
      stage.pool,
      sql`select sum(checks)::integer as checks from monitor_hours where monitor_id = ${monitor}`,
    );
    assert.equal(counted?.checks, requests);
    const { body } = await call(stage.app, `GET /api/v1/monitors/${monitor}`, { token: stage.cast.alice });
    assert.equal(body.data.recent.length, requests);
  });

  it("applies changed settings, and stops when the monitor is turned off or deleted", async () => {
    await minutes(1);
    status = 500;
    await stage.pool.query("update monitors set expected_status = 500, revision = revision + 1 where id = $1", [
      monitor,
    ]);
    await checker.reload([monitor]);
    await minutes(3);
    assert.equal((await stored()).current_status, "up");
    await stage.pool.query("delete from monitors where id = $1", [monitor]);
    await checker.reload();
    assert.equal(checker.size, 0);
  });

  /** A process that checks nothing yet, and whose next answer from the database comes when `answer` is called. */
  function openLate() {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isLate = false;
    const query = async (text: never) => {
      const holds = isLate;
      isLate = false;
      const answer = await stage.pool.query(text);
      if (holds) {
        asked.resolve();
        await answered.promise;
      }
      return answer;
    };
    const connect = () => stage.pool.connect();
    const pool = Object.create(stage.pool, { query: { value: query }, connect: { value: connect } }) as Stage["pool"];
    const late = new Checker({ ...stage.ctx, pool, config: allowed }, { clock });
    const readLate = async (): Promise<{ reading: Promise<void> }> => {
      isLate = true;
      const reading = late.reload();
      await asked.promise;
      return { reading };
    };
    return { late, readLate, answer: answered.resolve };
  }

  it("includes a shard that is added during a reload", async () => {
    const { late, readLate, answer } = openLate();
    const { reading } = await readLate();
    await late.addShard(monitor % shardCount);
    answer();
    await reading;
    assert.equal(late.size, 1);
    await dropAll(late);
  });

  it("keeps the newest settings when an older reload ends last", async () => {
    const { late, readLate, answer } = openLate();
    await late.addShard(monitor % shardCount);
    const { reading } = await readLate();
    status = 500;
    await stage.pool.query("update monitors set expected_status = 500, revision = revision + 1 where id = $1", [
      monitor,
    ]);
    await late.reload([monitor]);
    answer();
    await reading;
    late.startDue();
    await late.settled();
    assert.equal((await stored()).current_status, "up");
    await dropAll(late);
  });

  it("checks immediately after a change of settings", async () => {
    await pass(1);
    await changeInterval(86_400);
    requests = 0;
    await checker.reload([monitor]);
    await pass(1);
    assert.equal(requests, 1);
    await pass(5);
    assert.equal(requests, 1);
  });

  it("checks again immediately when the settings changed during a check", async () => {
    for (const isRead of [true, false]) {
      await stage.pool.query("delete from monitors");
      await checker.reload();
      monitor = await addMonitor(stage, project, { url });
      await checker.reload();
      requests = 0;
      const answer = holdAnswers();
      clock.time += 1_000;
      checker.startDue();
      await answer.asked;
      await changeInterval(86_400);
      // A change that was not read yet makes the verdict fail.
      if (isRead) await checker.reload([monitor]);
      checker.startDue();
      answer.now();
      await checker.settled();
      await checker.reload([monitor]);
      await pass(1);
      assert.equal(requests, 2, `was read before the answer: ${isRead}`);
      assert.equal((await stored()).current_status, "up");
    }
  });

  it("checks immediately when the monitor was turned off and on", async () => {
    await pass(1);
    await changeInterval(86_400);
    await checker.reload([monitor]);
    await pass(1);
    requests = 0;
    for (const isActive of [false, true]) {
      await stage.pool.query(
        "update monitors set is_active = $2, current_status = 'pending', revision = revision + 1 where id = $1",
        [monitor, isActive],
      );
      await checker.reload([monitor]);
    }
    await pass(1);
    assert.equal(requests, 1);
  });

  it("discards a verdict when the settings changed during the check", async () => {
    await minutes(1);
    status = 500;
    await stage.pool.query("update monitors set revision = revision + 1 where id = $1", [monitor]);
    await minutes(3);
    const events = await eventsOf(stage, monitor);
    // The first attempt found changed settings; those were read, and three checks failed again.
    assert.deepEqual(
      events.map((event) => event.status),
      ["up", "down"],
    );
  });

  it("checks as often as the plan allows", () => {
    assert.equal(intervalMsOf({ interval_seconds: 60, plan: "starter" }), 300_000);
    assert.equal(intervalMsOf({ interval_seconds: 60, plan: "pro" }), 60_000);
  });
});

describe("a gap in the checks", () => {
  it("is unobserved time if it takes an hour, and reports neither up nor down", async () => {
    await minutes(5);
    await dropAll(checker);
    status = 500;
    const absentFrom = clock.time;
    clock.time += 3_600_000;
    checker = await openChecker();
    assert.deepEqual(await statuses(), ["up"]);
    status = 200;
    await minutes(2);
    await checker.store();
    assert.deepEqual(await statuses(), ["up"]);
    const intervals = await intervalsOf(stage, monitor);
    assert.deepEqual(
      intervals.map(({ state }) => state),
      ["up", "unobserved", "up"],
    );
    const [, gap] = intervals;
    assert.ok(Date.parse(gap?.started_at ?? "") <= absentFrom + 60_000);
    assert.ok(Date.parse(gap?.ended_at ?? "") >= absentFrom + 3_600_000);
  });

  it("neither ends an outage nor starts another", async () => {
    await minutes(2);
    status = 500;
    await minutes(3);
    await dropAll(checker);
    clock.time += 3_600_000;
    checker = await openChecker();
    await minutes(3);
    assert.deepEqual(await statuses(), ["up", "down"]);
    assert.equal((await noticesOf(stage, monitor)).length, 1);
    status = 200;
    await minutes(2);
    assert.deepEqual(await statuses(), ["up", "down", "up"]);
  });

  it("leaves no unobserved time if it is short", async () => {
    await minutes(5);
    await dropAll(checker);
    clock.time += 15_000;
    checker = await openChecker();
    await minutes(3);
    await checker.store();
    assert.deepEqual(
      (await intervalsOf(stage, monitor)).map(({ state }) => state),
      ["up"],
    );
  });

  it("is unobserved time if the process falls behind its schedule", async () => {
    await minutes(2);
    [status, requests] = [500, 0];
    // Suspended: the due check is more than half an interval late.
    clock.time += 10 * 60_000;
    const beforeNext = nextSlot(monitor, 60_000, clock.time) - clock.time;
    if (beforeNext > 31_000) {
      checker.startDue();
      await checker.settled();
      assert.equal(requests, 0);
    }
    status = 200;
    await minutes(3);
    await checker.store();
    assert.deepEqual(await statuses(), ["up"]);
  });

  it("does not report an outage twice when two processes check the same monitor", async () => {
    await minutes(2);
    const other = await openChecker();
    status = 500;
    for (let second = 0; second < 180; second++) {
      clock.time += 1_000;
      checker.startDue();
      other.startDue();
      await Promise.all([checker.settled(), other.settled()]);
    }
    await dropAll(other);
    assert.deepEqual(await statuses(), ["up", "down"]);
    assert.equal((await noticesOf(stage, monitor)).length, 1);
  });
});

describe("a monitor is unobserved", () => {
  const unobservedWhile = async (begin: () => Promise<unknown>, end: () => Promise<unknown>): Promise<void> => {
    await minutes(2);
    await begin();
    status = undefined;
    await minutes(2);
    await checker.refresh();
    await minutes(3);
    await end();
    status = 200;
    await minutes(2);
    await checker.refresh();
    await minutes(2);
    await checker.store();
    assert.deepEqual(await statuses(), ["up"]);
    assert.deepEqual(
      (await intervalsOf(stage, monitor)).map(({ state }) => state),
      ["up", "unobserved", "up"],
    );
    const counted = await row<{ unobserved: number }>(
      stage.pool,
      sql`select sum(unobserved)::integer as unobserved from monitor_hours where monitor_id = ${monitor}`,
    );
    assert.ok((counted?.unobserved ?? 0) >= 3);
  };

  it("during the maintenance mode of its project", () =>
    unobservedWhile(
      () => stage.pool.query("update sites set maintenance_mode = true where project_id = $1", [project]),
      () => stage.pool.query("update sites set maintenance_mode = false where project_id = $1", [project]),
    ));

  it("during a reboot of its server", () =>
    unobservedWhile(
      () =>
        stage.pool.query(
          "insert into runs (server_id, kind, subject, subject_id, plan, nonce) values ($1, 'reboot', 'server', $1, '{}', 'x')",
          [server],
        ),
      () =>
        stage.pool.query("update runs set state = 'succeeded', ended_at = $1 where kind = 'reboot'", [
          new Date(clock.time),
        ]),
    ));

  it("while more than 30 % of the monitors on three networks fail together", async () => {
    const own = await addMonitor(stage, project, { name: "one", url: url.replace("127.0.0.1", "127.1.0.1") });
    const two = await addMonitor(stage, project, { name: "two", url: url.replace("127.0.0.1", "127.2.0.1") });
    const three = await addMonitor(stage, project, { name: "three", url: url.replace("127.0.0.1", "127.3.0.1") });
    await checker.reload();
    await minutes(2);
    status = undefined;
    await minutes(5);
    assert.notEqual(checker.localOutageSince, undefined);
    for (const id of [monitor, own, two, three]) {
      assert.deepEqual(
        (await eventsOf(stage, id)).map((event) => event.status),
        ["up"],
      );
    }
    status = 200;
    await minutes(3);
    await checker.refresh();
    assert.equal(checker.localOutageSince, undefined);
    await checker.store();
    assert.deepEqual(
      (await intervalsOf(stage, monitor)).map(({ state }) => state),
      ["up", "unobserved", "up"],
    );
  });
});

describe("a local outage", () => {
  const result = (monitorId: number, network: string, hasFailed: boolean) => ({ monitorId, network, hasFailed, at: 0 });

  it("is suspected when more than 30 % fail on three networks", () => {
    const recent = new RecentResults();
    for (let n = 0; n < 7; n++) recent.add(result(n, "ok", false));
    recent.add(result(10, "a", true));
    recent.add(result(11, "b", true));
    recent.add(result(12, "b", true));
    recent.add(result(13, "b", true));
    assert.equal(recent.failedTogether(0), false);
    recent.add(result(14, "c", true));
    assert.equal(recent.failedTogether(0), true);
    for (let n = 20; n < 30; n++) recent.add(result(n, "ok", false));
    assert.equal(recent.failedTogether(0), false);
  });
});

describe("slots", () => {
  it("are spread evenly, and do not move", () => {
    const perSecond = new Map<number, number>();
    for (let id = 1; id <= 10_000; id++) {
      const second = Math.floor(slotOf(id, 60_000) / 1_000);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    assert.equal(perSecond.size, 60);
    assert.ok(Math.max(...perSecond.values()) < 2 * (10_000 / 60));
    const slot = nextSlot(7, 60_000, 1_000_000);
    assert.equal(nextSlot(7, 60_000, slot), slot + 60_000);
    assert.equal(nextSlot(7, 60_000, slot - 1), slot);
  });

  it("leave half an interval for confirmations, at most 30 seconds", () => {
    assert.equal(confirmationPauseMs(60_000, 2), 30_000);
    assert.equal(confirmationPauseMs(60_000, 3), 15_000);
    assert.equal(confirmationPauseMs(300_000, 4), 10_000);
    assert.equal(confirmationPauseMs(300_000, 10), 10_000);
  });
});

describe("certificate notices", () => {
  const day = 86_400_000;

  it("are sent once each, 21, 7 and 1 days before the end, by any number of processes", async () => {
    const at = (daysBefore: number) => new Date(clock.time - daysBefore * day);
    const expiresAt = new Date(clock.time);
    const look = async (daysBefore: number): Promise<void> => {
      const [fresh] = await listChecked(stage.pool, [monitor]);
      if (!fresh) throw new Error("The monitor is gone");
      const looks = Array.from({ length: 4 }, () =>
        recordCertificate(stage.ctx, { ...fresh }, expiresAt, at(daysBefore)),
      );
      await Promise.all(looks);
    };
    for (const days of [30, 22, 21, 20, 8, 7, 6, 2, 1, 0.5]) await look(days);
    assert.deepEqual(
      (await noticesOf(stage, monitor)).map(({ topic, data }) => [topic, data.days]),
      [
        ["monitor.certificate_expiring", 21],
        ["monitor.certificate_expiring", 7],
        ["monitor.certificate_expiring", 1],
      ],
    );
    assert.equal(noticeDue(expiresAt, at(22)), null);
  });

  it("are not sent long before the end, which is stored with the results", async () => {
    const { certificate, private_key: key } = await selfSigned(["shop.test"], 90);
    const dns = await startDnsServer({ "shop.test": { A: ["127.0.0.1"] } });
    const secure = createTlsServer({ cert: certificate, key }, (_request, response) => response.end("fine"));
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const { port } = secure.address() as AddressInfo;
    const id = await addMonitor(stage, project, { url: `https://shop.test:${port}/` });
    const config = loadConfig({}, { monitorAllow: "127.0.0.0/8", dnsServers: dns.address });
    const own = new Checker({ ...stage.ctx, config }, { clock, authorities: [certificate] });
    await own.addShard(id % shardCount);
    own.startDue();
    await own.settled();
    await own.store();
    const { certificate_expires_at, current_status } = await storedMonitor(stage, id);
    assert.equal(current_status, "up");
    const days = (Date.parse(certificate_expires_at ?? "") - Date.now()) / day;
    assert.ok(days > 89 && days <= 90, `${days} days`);
    assert.deepEqual(await noticesOf(stage, id), []);
    await own.dropShard(id % shardCount);
    secure.close();
    await dns.close();
  });

  it("are sent again for a renewed certificate", async () => {
    const look = async (expiresAt: Date): Promise<void> => {
      const [fresh] = await listChecked(stage.pool, [monitor]);
      if (fresh) await recordCertificate(stage.ctx, fresh, expiresAt, clock.now());
    };
    await look(new Date(clock.time + 5 * day));
    await look(new Date(clock.time + 90 * day));
    assert.equal((await noticesOf(stage, monitor)).length, 1);
    await look(new Date(clock.time + 6 * day));
    assert.equal((await noticesOf(stage, monitor)).length, 2);
  });
});
