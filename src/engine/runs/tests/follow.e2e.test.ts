import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { pino } from "pino";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { runDirectory, startRun } from "../../../host/runner/runner.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { type Booted, boot } from "../../../host/tests/booted.ts";
import { createRunningRun, createServer, recordingKind } from "../../tests/support.ts";
import { bundle } from "../bundle.ts";
import { bringToEnd } from "../follow.ts";
import { findRun } from "../queries.ts";
import { UpdateBatcher } from "../update-batcher.ts";

const noIds = async () => ({ order: 0, text: "" });

// Only following: a real server, and no worker. Interruptions: test/e2e.

let host: Booted;
let hosts: Hosts;
let database: TestDatabase;
let serverId: number;

before(async () => {
  database = await testDatabase();
  serverId = await createServer(database.pool);
  host = await boot("follow");
  const pin = async () => undefined;
  hosts = new Hosts({ lookUp: async () => host.address, pin, connectTimeoutMs: 30_000 });
});

after(async () => {
  await hosts?.close();
  await host?.down();
  await database?.drop();
});

const patience = { unreachableAfterMs: 60_000, abandonAfterMs: 3_600_000 };

it("logs a warning about a run that cannot be followed", async () => {
  const run = await createRunningRun(database.pool, serverId);
  const secrets = () => Promise.reject(new Error("The secrets cannot be read"));
  const [reported, stop] = [[] as string[], new AbortController()];
  const write = (line: string) => {
    reported.push(line);
    stop.abort();
  };
  const log = pino({ level: "warn" }, { write });
  const context = { pool: database.pool, hosts, log, kinds: new Map([["test", { ...recordingKind(), secrets }]]) };
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)]);
  await bringToEnd({ ...context, ...patience, updates: new UpdateBatcher(context), seal: noIds }, run.id, signal);
  assert.deepEqual(
    reported.map((line) => JSON.parse(line).msg),
    [`Lost contact with run ${run.id}, retrying: The secrets cannot be read`],
  );
});

it("gives up a run that has ended on its server when the record of its end was lost", async () => {
  const run = await createRunningRun(database.pool, serverId);
  await startRun(await hosts.get(serverId), run.id, bundle(run.id, run.plan, run.nonce, {}));
  const directory = runDirectory(run.id);
  await host.bash(
    `until [[ -e ${directory}/ended ]]; do sleep 0.05; done; sed -i '/ end succeeded /d' ${directory}/journal`,
  );

  const kind = recordingKind();
  const log = pino({ level: "silent" });
  const context = { pool: database.pool, hosts, log, kinds: new Map([["test", kind]]) };
  await bringToEnd(
    { ...context, ...patience, updates: new UpdateBatcher(context), seal: noIds },
    run.id,
    AbortSignal.timeout(60_000),
  );
  const { state, error } = (await findRun(database.pool, run.id)) ?? {};
  assert.deepEqual([state, error], ["stalled", "The run ended on its server, where its record was lost."]);
  assert.deepEqual(kind.reported, ["0 completed", "1 completed", "2 completed", `stalled: ${error}`]);
});
