import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PoolClient } from "pg";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { removalTarget } from "../../projects/removal.ts";
import { cancelQueued } from "../ending/queries.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  dispatch,
  findRow,
  finishRun,
  makeNode,
  openStage,
  type Stage,
  statuses,
  untilWaiting,
} from "./support.ts";

describe("a deployment that is claimed", () => {
  let stage: Stage;
  let server: number;
  let project: number;
  let id: number;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  async function queued(): Promise<void> {
    server = await addProvisioned(stage);
    project = await addProject(stage.pool, server);
    [id] = (await deploy(stage, project)) as [number];
  }

  const runsOf = (): Promise<Run[]> =>
    rows(stage.pool, sql`select * from runs where kind = 'deployment' and subject_id = ${id}`);

  /** Runs `work` while `held` is not committed; commits as soon as all of `work` waits for it. */
  async function meanwhile(held: (tx: PoolClient) => Promise<unknown>, ...work: (() => Promise<unknown>)[]) {
    const begun: Promise<unknown>[] = [];
    await transaction(stage.pool, async (tx) => {
      await held(tx);
      for (const each of work) {
        begun.push(each());
        await untilWaiting(stage.pool, begun.length);
      }
    });
    return await Promise.all(begun);
  }

  const hold = (tx: PoolClient) => tx.query("select 1 from deployments where id = $1 for update", [id]);

  const begin = () => dispatch(stage, server);

  it("while it is being cancelled never runs", async () => {
    await queued();
    await meanwhile((tx) => cancelQueued(tx, id), begin);
    assert.deepEqual(await runsOf(), []);
    const { status, run_id: runId } = await findRow(stage, id);
    assert.deepEqual([status, runId], [5, null]);
  });

  it("with others while it is being cancelled lets those run", async () => {
    await queued();
    const beside = await addProject(stage.pool, server);
    const elsewhere = await addProvisioned(stage);
    const others = await deploy(stage, beside, await addProject(stage.pool, elsewhere));
    await meanwhile(
      (tx) => cancelQueued(tx, id),
      () => dispatch(stage, server, elsewhere),
    );
    assert.deepEqual(await runsOf(), []);
    assert.deepEqual(await statuses(stage, [id, ...others]), [5, 3, 3]);
  });

  it("first is asked to stop by a cancel in the meantime", async () => {
    await queued();
    const cancel = () => call(stage.app, `POST /api/v1/deployments/${id}/cancel`, { token: stage.cast.alice });
    await meanwhile(hold, begin, cancel);
    const [run] = await runsOf();
    assert.notEqual(run?.cancel_requested_at, null);
    assert.equal((await findRow(stage, id)).status, 4);
  });

  const deleteIt = () => call(stage.app, `DELETE /api/v1/project/${project}`, { token: stage.cast.alice });

  const removal = async (): Promise<string> => {
    await reconcileAll(stage.ctx, [removalTarget]);
    const [run] = await rows<Run>(
      stage.pool,
      sql`select * from runs where kind = 'project-removal' and subject_id = ${project}`,
    );
    return run?.plan.steps.map((step) => step.script).join("\n") ?? assert.fail("nothing is removed");
  };

  it("first is ended by the removal of its project, which is deleted meanwhile", async () => {
    await queued();
    await meanwhile(hold, begin, deleteIt);
    const [run] = await runsOf();
    assert.ok(run?.cancel_requested_at, "it is asked to stop");
    assert.match(await removal(), new RegExp(`^for run in ${run.id}; do`));
  });

  it("after its project has begun to be deleted never runs", async () => {
    await queued();
    await meanwhile(hold, deleteIt, begin);
    assert.deepEqual(await runsOf(), []);
    await removal();
  });

  it("is not taken back by a recycle that waited for its end", async () => {
    await queued();
    await begin();
    await finishRun(stage, id, "succeeded", { commit: "a".repeat(40) });
    await makeNode(stage, project);
    [id] = (await deploy(stage, project)) as [number];
    await begin();
    let recycled: Promise<Reply> | undefined;
    await transaction(stage.pool, async (tx) => {
      await tx.query("select 1 from projects where id = $1 for update", [project]);
      recycled = call(stage.app, `POST /api/v1/projects/${project}/recycle`, { token: stage.cast.alice });
      await untilWaiting(stage.pool);
      // The writes of a deployment's end, in the same transaction.
      await tx.query("update deployments set status = 1, ended_at = clock_timestamp() where id = $1", [id]);
      await tx.query("update placements set live_deployment_id = $1, live_release_id = $1 where project_id = $2", [
        id,
        project,
      ]);
    });
    const recycle = await findRow(stage, (await recycled)?.body.deployment_id);
    assert.equal(recycle.release_id, id);
  });
});
