import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Context } from "../src/context.ts";
import { Queue } from "../src/engine/queue/queue.ts";
import { countsOf, jobsOf } from "../src/features.ts";
import { openMetrics } from "../src/http/metrics.ts";
import { contextOn, createCast } from "../src/http/tests/support.ts";
import { addCounts } from "../src/lib/metrics.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { World } from "./route-world.ts";

let database: TestDatabase;
let ctx: Context;

before(async () => {
  database = await testDatabase();
  const base = contextOn(database.pool, { metricsPort: "0" });
  ctx = { ...base, queue: new Queue(database.pool, base.log) };
  const [queue] = jobsOf(ctx);
  assert.ok(queue);
  await ctx.queue.start([queue]);
  const world = new World(ctx, await createCast(database.pool));
  await world.server("counted");
  await ctx.queue.enqueue(database.pool, queue.name, {});
  for (const counts of countsOf(ctx)) addCounts(counts);
});

after(async () => {
  await ctx?.queue.stop();
  await database?.drop();
});

test("records are counted when Prometheus asks", async () => {
  const text = await openMetrics(ctx).text();
  assert.match(text, /^longshore_servers\{status="\w+",connection="\w+"\} 1$/m);
  assert.match(text, /^longshore_queue_jobs\{queue="[\w-]+",state="created"\} 1$/m);
  await database.pool.query("update queue.job set state = 'completed'");
  assert.doesNotMatch(await openMetrics(ctx).text(), /^longshore_queue_jobs\{/m);
});

test("each metric has a type and a help text, and no name is there twice", async () => {
  const text = await openMetrics(ctx).text();
  const named = (word: string): string[] =>
    [...text.matchAll(new RegExp(`^# ${word} (\\S+) \\S`, "gm"))].map((found) => found[1] ?? "");
  assert.deepEqual(named("HELP"), named("TYPE"));
  assert.equal(new Set(named("TYPE")).size, named("TYPE").length);
  assert.ok(named("TYPE").includes("longshore_deployments") && named("TYPE").includes("longshore_runs"));
});
