import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { wakeDispatch } from "../../../engine/dispatch.ts";
import { emptyQueue, jobsIn } from "../../servers/tests/support.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  statuses,
} from "./support.ts";

describe("the queue of a server", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  const setLimit = (serverId: number, limit: number | null) =>
    stage.pool.query("update servers set queue_limit = $2 where id = $1", [serverId, limit]);

  it("starts one deployment of a project at a time, in the order queued", async () => {
    const server = await addProvisioned(stage);
    const project = await addProject(stage.pool, server);
    const [first] = (await deploy(stage, project)) as [number];
    const [second] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [3, 0]);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [3, 0]);
    await finishRun(stage, first, "failed");
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, [first, second]), [2, 3]);
  });

  it("never runs more than queue_limit allows, also when looked at by many at once", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 2);
    const projects = await Promise.all([1, 2, 3, 4, 5].map(() => addProject(stage.pool, server)));
    const ids = await deploy(stage, ...projects);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => dispatch(stage, server)));
    assert.equal((await statuses(stage, ids)).filter((status) => status === 3).length, 2);
    await setLimit(server, null);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [3, 3, 3, 3, 3]);
  });

  it("stops none of those that run when the limit is lowered", async () => {
    const server = await addProvisioned(stage);
    const projects = await Promise.all([1, 2, 3].map(() => addProject(stage.pool, server)));
    const ids = await deploy(stage, ...projects);
    await dispatch(stage, server);
    await setLimit(server, 1);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [3, 3, 3]);
  });

  it("lets projects take turns", async () => {
    const server = await addProvisioned(stage);
    await setLimit(server, 1);
    const [busy, other] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const busyIds = [...(await deploy(stage, busy)), ...(await deploy(stage, busy)), ...(await deploy(stage, busy))];
    const [otherId] = (await deploy(stage, other)) as [number];
    await dispatch(stage, server);
    await finishRun(stage, busyIds[0] as number, "failed");
    await dispatch(stage, server);
    assert.equal((await findRow(stage, otherId)).status, 3);
    assert.deepEqual(await statuses(stage, busyIds), [2, 0, 0]);
  });

  it("is looked at again when a deployment ends", async () => {
    const server = await addProvisioned(stage);
    const project = await addProject(stage.pool, server);
    const [id] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    await emptyQueue(stage.pool, "dispatch-deployments");
    await finishRun(stage, id, "failed");
    assert.deepEqual(await jobsIn(stage.pool, "dispatch-deployments"), [{ serverId: server }]);
  });

  it("is not looked at before a transaction that shares a waiting wake-up has committed", async () => {
    const server = await addProvisioned(stage);
    const [early, late] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const [earlyId] = (await deploy(stage, early)) as [number];
    const insertLate =
      "insert into deployments (organization_id, project_id, server_id, git_branch, description) select organization_id, id, server_id, 'main', '' from projects where id = $1 returning id";
    let dispatched: Promise<void> | undefined;
    const lateId = await transaction(stage.pool, async (tx) => {
      const inserted = await tx.query(insertLate, [late]);
      // The wake-up of the early request is still waiting, so this one adds no job of its own.
      await wakeDispatch(tx, stage.ctx.queue, server);
      dispatched = dispatch(stage, server);
      return Number(inserted.rows[0].id);
    });
    await dispatched;
    assert.deepEqual(await statuses(stage, [earlyId, lateId]), [3, 3]);
  });

  it("goes past a deployment that cannot be planned", async () => {
    const server = await addProvisioned(stage);
    const [broken, good] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    await stage.pool.query("update projects set framework_id = 8, port_pair = null where id = $1", [broken]);
    const ids = await deploy(stage, broken, good);
    await dispatch(stage, server);
    assert.deepEqual(await statuses(stage, ids), [2, 3]);
    assert.match((await findRow(stage, ids[0] as number)).error ?? "", /could not plan/);
  });

  it("takes a thousand deployments in one request", async () => {
    const server = await addProvisioned(stage);
    const inserted = await stage.pool.query(
      `insert into projects (organization_id, server_id, name, framework_id, repository_type, repository, repository_branch)
       select organization_id, id, 'p', 10, 'git', 'https://git.example.com/shop.git', 'main' from servers, generate_series(1, 1000)
       where id = $1 returning id`,
      [server],
    );
    const ids = await deploy(stage, ...inserted.rows.map((project) => Number(project.id)));
    assert.equal(ids.length, 1000);
    assert.ok((await statuses(stage, ids)).every((status) => status === 0));
  });
});
