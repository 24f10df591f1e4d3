import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rows, sql } from "../src/db/sql.ts";
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
} from "../src/features/deployments/tests/support.ts";
import { call } from "../src/http/tests/support.ts";

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

test("cancels and deletions while runs end", async () => {
  const kinds = new Map(deploymentRunKinds(stage.ctx).map((kind) => [kind.kind, kind]));
  for (let round = 0; round < rounds; round++) {
    const server = await addProvisioned(stage);
    const projects = await Promise.all(Array.from({ length: projectsAtOnce }, () => addProject(stage.pool, server)));
    const ids = await deploy(stage, ...projects);
    await dispatch(stage, server);
    await startRuns(stage);
    const runs = await Promise.all(
      ids.map(async (id) => findRun(stage.pool, Number((await findRow(stage, id)).run_id))),
    );
    const ends = runs.map(
      (run) => run && settleEnd({ pool: stage.pool, kinds }, run, { state: "succeeded", error: null }),
    );
    const answers = await Promise.all([
      ...ids.map((id) => ask(`POST /api/v1/deployments/${id}/cancel`)),
      ...projects.map((id) => ask(`DELETE /api/v1/project/${id}`)),
      ...ends.map((end) => end?.then(() => 200)),
    ]);
    for (const status of answers) assert.ok(status === undefined || status < 500, `${status}`);
  }
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
