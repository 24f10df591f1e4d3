import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { Scheduler } from "../../../engine/schedule/scheduler.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { serverSchedules } from "../jobs.ts";
import { addProvisioned, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

/** No result of a check of this server can be stored; `failures` counts the attempts, which are rolled back. */
async function failOn(id: number): Promise<void> {
  await stage.pool.query(`
    create sequence failures;
    create function fail() returns trigger language plpgsql as $$
      begin perform nextval('failures'); raise exception 'The disk is full.'; end
    $$;
    create trigger fail before update of connection_error on servers
      for each row when (old.id = ${id}) execute function fail()`);
}

const errorOf = async (id: number): Promise<string | null | undefined> =>
  (
    await row<{ connection_error: string | null }>(
      stage.pool,
      sql`select connection_error from servers where id = ${id}`,
    )
  )?.connection_error;

it("a check that fails stops no other check, and the process ends after the checks under way", async (t) => {
  const [failing, slow, other] = [
    await addProvisioned(stage),
    await addProvisioned(stage),
    await addProvisioned(stage),
  ];
  await failOn(failing);
  const slowAttempt = Promise.withResolvers<void>();
  const slowAnswer = Promise.withResolvers<never>();
  const lookUp = async (id: number) => {
    if (id !== slow) throw new Error("No route.");
    slowAttempt.resolve();
    return slowAnswer.promise;
  };
  const hosts = new Hosts({ lookUp, pin: () => Promise.resolve(), connectTimeoutMs: 30_000 });
  t.after(() => hosts.close());
  const checks = serverSchedules({ ...stage.ctx, hosts }).filter(({ name }) => name === "check-connections");
  const scheduler = new Scheduler(stage.ctx, checks);
  await scheduler.start();
  await slowAttempt.promise;
  const isFailed = async () =>
    (await row<{ is_called: boolean }>(stage.pool, sql`select is_called from failures`))?.is_called === true;
  assert.ok(await pollUntil(isFailed, { timeoutMs: 30_000 }));
  assert.ok(await pollUntil(async () => (await errorOf(other)) === "No route.", { timeoutMs: 30_000 }));
  const stopped = scheduler.stop();
  slowAnswer.reject(new Error("It answered too late."));
  await stopped;
  assert.equal(await errorOf(slow), "It answered too late.");
});
