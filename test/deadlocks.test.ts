import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PoolClient } from "pg";
import { rows, sql } from "../src/db/sql.ts";
import { transaction } from "../src/db/transaction.ts";
import { findRun } from "../src/engine/runs/queries.ts";
import { settleEnd } from "../src/engine/runs/store.ts";
import { deploymentRunKinds } from "../src/features/deployments/jobs.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  dispatch,
  findRow,
  openStage,
  type Stage,
  startRuns,
  untilWaiting,
} from "../src/features/deployments/tests/support.ts";
import { call } from "../src/http/tests/support.ts";
import { pollUntil } from "../src/lib/clock.ts";

// Requests and workers that want the same rows at the same time. None of them may answer or fail with a conflict.

const rounds = 4;
const projectsAtOnce = 6;

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.close());

const ask = async (what: string, body?: object): Promise<number> =>
  (await call(stage.app, what, { token: stage.cast.alice, ...(body && { body }) })).status;

/** A deployment that has begun; `end` does what a worker does when its run ends. */
async function running() {
  const server = await addProvisioned(stage);
  const project = await addProject(stage.pool, server);
  const [id] = (await deploy(stage, project)) as [number];
  await dispatch(stage, server);
  await startRuns(stage);
  const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
  if (!run) throw new Error("The deployment has no run");
  const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
  const end = () => settleEnd({ pool: stage.pool, kinds }, run, { state: "succeeded", error: null });
  return { project, id, end };
}

const listWaiting = () =>
  rows(
    stage.pool,
    sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );

/** Locks a project while `work` begins what waits for it. */
const whileLocked = (project: number, work: (tx: PoolClient) => Promise<void>): Promise<void> =>
  transaction(stage.pool, async (tx) => {
    await tx.query("select 1 from projects where id = $1 for no key update", [project]);
    await work(tx);
  });

test("a cancel while the run of its deployment ends", async () => {
  const { project, id, end } = await running();
  const begun: Promise<unknown>[] = [];
  let answer: number | undefined;
  await whileLocked(project, async () => {
    begun.push(end());
    await untilWaiting(stage.pool);
    begun.push(ask(`POST /api/v1/deployments/${id}/cancel`).then((status) => (answer = status)));
    // It does not lock the project, so it waits only if the end of the run has locked something else already.
    await pollUntil(async () => answer !== undefined || (await listWaiting()).length === 2, { timeoutMs: 30_000 });
  });
  await Promise.all(begun);
  assert.equal(answer, 202);
});

test("a cancel of a queued deployment while its project is deleted", async () => {
  const project = await addProject(stage.pool, await addProvisioned(stage));
  const [id] = (await deploy(stage, project)) as [number];
  let cancelled: Promise<number> | undefined;
  await whileLocked(project, async (tx) => {
    cancelled = ask(`POST /api/v1/deployments/${id}/cancel`);
    await untilWaiting(stage.pool);
    // As a deletion does, after the project.
    await tx.query("select 1 from deployments where id = $1 for update", [id]);
  });
  assert.equal(await cancelled, 202);
});

test("requests for the same projects in different orders", async () => {
  const server = await addProvisioned(stage);
  const projects = await Promise.all(Array.from({ length: projectsAtOnce }, () => addProject(stage.pool, server)));
  const requests = Array.from({ length: rounds }, () => [
    deploy(stage, ...projects),
    deploy(stage, ...projects.toReversed()),
  ]);
  const ids = new Set((await Promise.all(requests.flat())).flat());
  assert.equal(ids.size, 2 * rounds * projectsAtOnce);
});

test("the deletion of a project while a run of it ends", async () => {
  const { project, end } = await running();
  const begun: Promise<unknown>[] = [];
  await whileLocked(project, async () => {
    begun.push(ask(`DELETE /api/v1/project/${project}`));
    await untilWaiting(stage.pool);
    begun.push(end());
    await untilWaiting(stage.pool, 2);
  });
  assert.equal((await Promise.all(begun))[0], 200);
});

test("the deletion of a server while runs begin on it", async () => {
  for (let round = 0; round < rounds; round++) {
    const server = await addProvisioned(stage);
    const projects = await Promise.all(Array.from({ length: projectsAtOnce }, () => addProject(stage.pool, server)));
    await stage.pool.query("update placements set live_release_id = 1 where server_id = $1", [server]);
    await stage.pool.query("update projects set installation_status = 1 where server_id = $1", [server]);
    const answers = await Promise.all([
      ...projects.map((id) => ask(`POST /api/v1/projects/${id}/commands`, { command: "true" })),
      ask(`DELETE /api/v1/servers/${server}`),
      deploy(stage, ...projects).then(
        () => 202,
        () => 404,
      ),
      dispatch(stage, server).then(() => 200),
    ]);
    for (const status of answers) assert.ok(status < 500, `${status}`);
    assert.deepEqual(await rows(stage.pool, sql`select 1 from servers where id = ${server}`), []);
  }
});
