import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { rows, sql } from "../../../db/sql.ts";
import { pollUntil } from "../../../lib/clock.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  eventsOf,
  intervalsOf,
  noticesOf,
  openStage,
  type Stage,
} from "./support.ts";

// Two processes check the monitors of one database, and one of them after the other is killed at a random moment.

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const rounds = 2;
const monitorsOfRound = 30;
const intervalSeconds = 2;
/** Covers an interval and its confirmation. */
const mostMsUntilKilled = 4_000;

let stage: Stage;
let project: number;
let site: Server;
let url: string;
let isUp = true;
let random: () => number;

before(async () => {
  stage = await openStage();
  await stage.pool.query("update organizations set plan = 'business'");
  project = await addProject(stage.pool, await addProvisioned(stage, { name: "web" }));
  site = createServer((_request, response) => response.writeHead(isUp ? 200 : 500).end());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  random = randomFrom(seed);
});
after(async () => {
  for (const child of [...running]) await kill(child);
  site?.close();
  await stage?.close();
});

/** mulberry32 */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const running = new Set<ChildProcess>();

async function startProcess(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "checking-process.ts"), [stage.database.url, String(intervalSeconds)]);
  running.add(child);
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  if (!(await pollUntil(look, { timeoutMs: 120_000, everyMs: 100 })))
    throw new Error(`In vain: ${what} (SEED=${seed})`);
}

const untilAll = (status: string, ids: readonly number[]) =>
  until(`all are ${status}`, async () => {
    const others = await rows(
      stage.pool,
      sql`select 1 from monitors where id = any(${ids}::bigint[]) and current_status <> ${status}`,
    );
    return others.length === 0;
  });

/** The owners of the shards, with the number of shards of each. */
const owners = () =>
  rows<{ owner: string; shards: number }>(
    stage.pool,
    sql`
      select owner, count(*)::integer as shards from shards
      where name = 'http-checks' and lease_until > clock_timestamp() group by owner
    `,
  );

const untilShared = (processes: number) =>
  until(`${processes} processes share the shards`, async () => {
    const held = (await owners()).map(({ shards }) => shards);
    return held.length === processes && held.every((shards) => shards === 16 / processes);
  });

async function addMonitors(): Promise<number[]> {
  const settings = { url, intervalSeconds, timeoutSeconds: 5, threshold: 2 };
  const adding = Array.from({ length: monitorsOfRound }, () => addMonitor(stage, project, settings));
  const ids = await Promise.all(adding);
  for (const id of ids) await stage.pool.query("select pg_notify('longshore_monitors', $1)", [String(id)]);
  return ids;
}

/** The site changes, and one process is killed while both detect it. */
async function changeAndKill(victim: ChildProcess, status: "up" | "down", ids: readonly number[]): Promise<void> {
  isUp = status === "up";
  await pause(random() * mostMsUntilKilled);
  await kill(victim);
  await untilAll(status, ids);
}

async function assertTold(id: number): Promise<void> {
  const where = `monitor ${id}, SEED=${seed}`;
  const events = (await eventsOf(stage, id)).map(({ status }) => status);
  assert.deepEqual(events, ["up", "down", "up"], where);
  const topics = (await noticesOf(stage, id)).map(({ topic }) => topic);
  assert.deepEqual(topics, ["monitor.down", "monitor.up"], where);
  const intervals = await intervalsOf(stage, id);
  assert.equal(intervals.filter(({ ended_at }) => ended_at === null).length, 1, where);
  // Until the shards of the killed process change hands, its monitors may be observed too late for an interval of two seconds.
  const observed = intervals.map(({ state }) => state).filter((state) => state !== "unobserved");
  const changes = observed.filter((state, index) => state !== observed[index - 1]);
  assert.deepEqual(changes, ["up", "down", "up"], where);
}

describe("two processes, one of which is killed,", () => {
  it(`report each outage and each recovery once (SEED=${seed})`, async () => {
    let [one, other] = [await startProcess(), await startProcess()];
    for (let round = 0; round < rounds; round++) {
      await untilShared(2);
      const ids = await addMonitors();
      await untilAll("up", ids);
      await changeAndKill(one, "down", ids);
      await untilShared(1);
      one = await startProcess();
      await untilShared(2);
      await changeAndKill(other, "up", ids);
      await untilShared(1);
      for (const id of ids) await assertTold(id);
      await stage.pool.query("delete from monitors");
      other = await startProcess();
    }
  });
});
