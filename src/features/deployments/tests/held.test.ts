import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { addProvisioned } from "../../servers/tests/support.ts";
import {
  ask,
  connect,
  createProject,
  follow,
  keyOf,
  makeDue,
  openStage,
  type Stage,
  sourceOf,
} from "../../sources/tests/support.ts";
import { deploymentTargets } from "../jobs.ts";
import { deployKeyKind } from "../starting.ts";
import { addProject, deploy, dispatch, finishRun, planOf } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());
beforeEach(async () => {
  stage.serverId = await addProvisioned(stage);
  stage.hosts.git_host_a.repositories.clear();
  stage.hosts.git_host_a.addRepository("acme/shop");
  await connect(stage, "git_host_a");
});
afterEach(async () => {
  await stage.pool.query("delete from projects");
  await stage.pool.query("delete from source_providers");
});

const privateProject = () => createProject(stage, { type: "git_host_a" });

const lastDeployment = async (projectId: number) =>
  (await row<{ id: number; status: number; run_id: number }>(
    stage.pool,
    sql`select id, status, run_id from deployments where project_id = ${projectId} order by id desc limit 1`,
  )) ?? assert.fail();

const statusOf = async (projectId: number) => (await lastDeployment(projectId)).status;

/** The runs that make the project's key, once the engine has begun the one that is due. */
async function keyRuns(projectId: number): Promise<{ id: number }[]> {
  await reconcileAll(stage.ctx, deploymentTargets(stage.ctx));
  return rows(stage.pool, sql`select id from runs where kind = 'deploy-key' and subject_id = ${projectId} order by id`);
}

/** Ends the run that makes the key, as a server does. */
async function endKeyRun(projectId: number, key: string | undefined): Promise<void> {
  const [run] = await keyRuns(projectId);
  const kind = deploymentTargets(stage.ctx).find(({ kind }) => kind === deployKeyKind.kind);
  assert.ok(run && kind && !("call" in kind));
  await transaction(stage.pool, async (tx) => {
    const facts = JSON.stringify(key === undefined ? {} : { deploy_key: key });
    await tx.query("update runs set facts = $2 where id = $1", [run.id, facts]);
    const outcome = key === undefined ? "failed" : "succeeded";
    const ended = await endRun(tx, run.id, { state: outcome, error: key === undefined ? "It is away." : null });
    if (ended) await targetRunKind(stage.ctx, kind).onEnded(tx, ended, outcome);
  });
}

async function fetchScriptOf(projectId: number): Promise<string> {
  const { steps } = await planOf(stage, (await lastDeployment(projectId)).id);
  return steps.find((step) => step.key === "fetch-source")?.script ?? assert.fail();
}

describe("the first deployment of a project with a connected account", () => {
  it("begins when the server's key is registered, and fetches with it from the address that the host gives", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    await follow(stage, id);
    assert.equal(await statusOf(id), 0, "it waits for its key");
    assert.equal((await keyRuns(id)).length, 1);
    await dispatch(stage, stage.serverId);
    assert.equal((await keyRuns(id)).length, 1, "once");
    await endKeyRun(id, keyOf(id));
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 0, "it waits for the host");
    await follow(stage, id);
    assert.equal(stage.hosts.git_host_a.repositories.get("acme/shop")?.keys.length, 1);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
    assert.match(await fetchScriptOf(id), /url=git@git\.example\.com:acme\/shop\.git/);
  });

  it("waits on each server of a project for the key of that server", async () => {
    const id = await privateProject();
    const further = await addProvisioned(stage);
    await stage.pool.query("insert into placements (project_id, server_id, role) values ($1, $2, 'replica')", [
      id,
      further,
    ]);
    await stage.pool.query(
      `insert into deployments (organization_id, project_id, server_id, git_branch, description)
       select organization_id, id, $2, 'main', 'test' from projects where id = $1`,
      [id, further],
    );
    const states = async () =>
      (
        await rows<{ status: number }>(
          stage.pool,
          sql`select status from deployments where project_id = ${id} order by server_id`,
        )
      ).map(({ status }) => status);
    for (const server of [stage.serverId, further]) await dispatch(stage, server);
    assert.equal((await keyRuns(id)).length, 2);
    await endKeyRun(id, keyOf(id));
    await follow(stage, id);
    for (const server of [stage.serverId, further]) await dispatch(stage, server);
    const running = await states();
    assert.deepEqual(running.toSorted(), [0, 3], "the other server has no key yet");
  });

  it("waits for the host also when its key is made in the middle of another look", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    const made = () => endKeyRun(id, keyOf(id));
    stage.hosts.git_host_a.troubles.push({ line: /hooks/, trouble: { before: made } });
    await follow(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 0, "the check did not find the key");
    await follow(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
    assert.match(await fetchScriptOf(id), /url=git@git\.example\.com:acme\/shop\.git/);
  });

  it("keeps no other project waiting, also where one deployment at a time runs", async () => {
    await stage.pool.query("update servers set queue_limit = 1 where id = $1", [stage.serverId]);
    const id = await privateProject();
    const other = await addProject(stage.pool, stage.serverId);
    await deploy(stage, other);
    await dispatch(stage, stage.serverId);
    await dispatch(stage, stage.serverId);
    assert.deepEqual([await statusOf(id), await statusOf(other)], [0, 3]);
  });

  it("begins all the same when the server cannot make a key, to report why", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    await endKeyRun(id, undefined);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
  });

  it("begins when the host has refused the key, and waits out a host that is only away", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    const { troubles } = stage.hosts.git_host_a;
    for (let n = 0; n < 8; n += 1) troubles.push({ line: /acme/, trouble: { status: 503 } });
    await endKeyRun(id, keyOf(id));
    await follow(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 0, "it is retried");
    troubles.length = 0;
    troubles.push({ line: /keys/, trouble: { status: 403, body: '{"message":"Deploy keys are disabled"}' } });
    await makeDue(stage);
    await follow(stage, id);
    assert.match((await sourceOf(stage, id)).deploy_key.error, /Deploy keys are disabled/);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
    assert.match(await fetchScriptOf(id), /private_url=git@github\.com:acme\/shop\.git/);
  });

  it("waits for no longer than its time, whatever died", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    await stage.pool.query("update held_deployments set held_until = now() where project_id = $1", [id]);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
  });

  it("can be cancelled while it waits, and the next one waits for itself", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    const { id: first } = await lastDeployment(id);
    assert.equal((await ask(stage, `POST /api/v1/deployments/${first}/cancel`)).body.state, "cancelled");
    await deploy(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 0);
    await endKeyRun(id, keyOf(id));
    await follow(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
  });
});

describe("later deployments", () => {
  it("do not wait for what is known, nor for what was refused", async () => {
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    stage.hosts.git_host_a.troubles.push({ line: /keys/, trouble: { status: 403, body: "{}" } });
    await endKeyRun(id, keyOf(id));
    await follow(stage, id);
    await dispatch(stage, stage.serverId);
    await finishRun(stage, (await lastDeployment(id)).id, "failed", { deploy_key: keyOf(id) });
    await deploy(stage, id);
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
    assert.equal((await keyRuns(id)).length, 1);
  });
});

describe("a project without a connected account", () => {
  it("does not wait; the key that its server made is shown, also when the deployment failed", async () => {
    await stage.pool.query("delete from source_providers");
    const id = await privateProject();
    await dispatch(stage, stage.serverId);
    assert.equal(await statusOf(id), 3);
    assert.deepEqual(await keyRuns(id), []);
    await finishRun(stage, (await lastDeployment(id)).id, "failed", { deploy_key: keyOf(id) });
    assert.equal((await sourceOf(stage, id)).deploy_key.public_key, keyOf(id));
  });
});
