import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, type Reply } from "../../../http/tests/support.ts";
import { deploymentChores } from "../jobs.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
  makeNode,
  openStage,
  type Stage,
} from "./support.ts";

const commit = (letter: string): string => letter.repeat(40);

describe("deployments", () => {
  let stage: Stage;
  let server: number;
  let project: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage);
  });
  after(() => stage.close());

  const post = (path: string, body?: object): Promise<Reply> =>
    call(stage.app, `POST /api/v1${path}`, { token: stage.cast.alice, ...(body ? { body } : {}) });
  const get = (path: string): Promise<Reply> => call(stage.app, `GET /api/v1${path}`, { token: stage.cast.alice });
  const fresh = async (): Promise<number> => {
    project = await addProject(stage.pool, server);
    return project;
  };
  const running = async (): Promise<number> => {
    const [id] = (await deploy(stage, await fresh())) as [number];
    await dispatch(stage, server);
    return id;
  };

  describe("a request for several", () => {
    it("queues all of them and says their ids", async () => {
      const [a, b] = [await fresh(), await fresh()];
      const reply = await post("/deployments", { project_ids: [a, b] });
      assert.equal(reply.status, 202);
      assert.equal(reply.body.deployment_ids.length, 2);
      assert.equal((await findRow(stage, reply.body.deployment_ids[0])).project_id, a);
    });

    it("queues nothing when one cannot be reached, and names it", async () => {
      const mine = await fresh();
      const reply = await post("/deployments", { project_ids: [mine, 999_999] });
      assert.equal(reply.status, 404);
      assert.match(reply.body.message, /999999/);
      assert.equal((await get(`/projects/${mine}/deployments`)).body.total_items, 0);
    });

    it("queues nothing when one is a catalog app, and names it", async () => {
      const [mine, app] = [await fresh(), await fresh()];
      await stage.pool.query("update projects set source_type = 'app', repository = null where id = $1", [app]);
      const reply = await post("/deployments", { project_ids: [mine, app] });
      assert.equal(reply.status, 422);
      assert.match(reply.body.errors.project_ids, new RegExp(String(app)));
      assert.equal((await get(`/projects/${mine}/deployments`)).body.total_items, 0);
    });
  });

  describe("cancel", () => {
    it("stops a queued deployment at once", async () => {
      const [id] = (await deploy(stage, await fresh())) as [number];
      const reply = await post(`/deployments/${id}/cancel`);
      assert.deepEqual([reply.status, reply.body.state], [202, "cancelled"]);
      assert.equal((await get(`/deployments/${id}`)).body.status, 5);
      await dispatch(stage, server);
      assert.equal((await findRow(stage, id)).status, 5);
    });

    it("asks a running one to stop, once", async () => {
      const id = await running();
      const reply = await post(`/deployments/${id}/cancel`);
      assert.deepEqual([reply.status, reply.body.state], [202, "cancelling"]);
      assert.equal((await get(`/deployments/${id}`)).body.status, 4);
      assert.equal((await post(`/deployments/${id}/cancel`)).status, 409);
      await finishRun(stage, id, "cancelled");
      assert.equal((await findRow(stage, id)).status, 5);
    });

    it("is refused in place, after the end, and once the release is live", async () => {
      const inPlace = await running();
      await stage.pool.query("update projects set zero_downtime = false where id = $1", [project]);
      assert.equal((await post(`/deployments/${inPlace}/cancel`)).status, 409);
      const live = await running();
      const { run_id: runId } = await findRow(stage, live);
      await stage.pool.query(
        "update run_steps set status = 'completed', started_at = now() where run_id = $1 and key = 'prune-releases'",
        [runId],
      );
      const late = await post(`/deployments/${live}/cancel`);
      assert.equal(late.status, 409);
      assert.match(late.body.message, /[Rr]oll back/);
      await finishRun(stage, live, "succeeded");
      assert.equal((await post(`/deployments/${live}/cancel`)).status, 409);
    });
  });

  describe("rerun", () => {
    it("queues a new deployment of the commit of one that failed, which stays", async () => {
      const failed = await deployed(stage, await fresh(), server, "failed", commit("b"));
      const reply = await post(`/deployments/${failed}/rerun`);
      assert.equal(reply.status, 202);
      const again = await findRow(stage, reply.body.deployment_id);
      assert.deepEqual([again.commit_id, again.status], [commit("b"), 0]);
      assert.equal((await findRow(stage, failed)).status, 2);
    });

    it("is refused for any other", async () => {
      const good = await deployed(stage, await fresh(), server);
      assert.equal((await post(`/deployments/${good}/rerun`)).status, 422);
    });
  });

  describe("rollback", () => {
    it("to a release that is kept makes it live without a build", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("c"));
      await stage.pool.query("update projects set is_prepared = true where id = $1", [project]);
      await deployed(stage, project, server, "succeeded", commit("d"));
      const reply = await post(`/deployments/${first}/rollback`);
      assert.equal(reply.status, 202);
      await dispatch(stage, server);
      const rollback = await findRow(stage, reply.body.deployment_id);
      assert.deepEqual(
        [rollback.process_type, rollback.release_id, rollback.commit_id],
        ["rollback", first, commit("c")],
      );
      const run = await stage.pool.query("select plan->>'kind' as kind from runs where id = $1", [rollback.run_id]);
      assert.equal(run.rows[0].kind, "rollback");
      await finishRun(stage, rollback.id, "succeeded");
      const live = await stage.pool.query("select live_deployment_id, live_release_id from projects where id = $1", [
        project,
      ]);
      assert.deepEqual(live.rows[0], { live_deployment_id: rollback.id, live_release_id: first });
    });

    it("to one that was pruned builds its commit again", async () => {
      const ids: number[] = [];
      await fresh();
      for (const letter of "abcdef0") ids.push(await deployed(stage, project, server, "succeeded", commit(letter)));
      const reply = await post(`/deployments/${ids[0]}/rollback`);
      await dispatch(stage, server);
      const rollback = await findRow(stage, reply.body.deployment_id);
      assert.equal(rollback.release_id, rollback.id);
      const run = await stage.pool.query("select plan::text as plan from runs where id = $1", [rollback.run_id]);
      assert.match(run.rows[0].plan, new RegExp(commit("a")));
    });

    it("offers earlier successes with a commit, but for the live one, and refuses anything else", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("e"));
      const failed = await deployed(stage, project, server, "failed", commit("f"));
      const live = await deployed(stage, project, server, "succeeded", commit("0"));
      const candidates = await get(`/projects/${project}/rollback-candidates`);
      assert.deepEqual(
        candidates.body.map((candidate: { id: number }) => candidate.id),
        [first],
      );
      for (const id of [failed, live]) assert.equal((await post(`/deployments/${id}/rollback`)).status, 422);
    });
  });

  describe("recycle", () => {
    it("queues a fresh process of the live release", async () => {
      const live = await deployed(stage, await fresh(), server);
      await stage.pool.query("update projects set is_prepared = true where id = $1", [project]);
      await makeNode(stage, project);
      const reply = await post(`/projects/${project}/recycle`);
      assert.equal(reply.status, 202);
      await dispatch(stage, server);
      const recycle = await findRow(stage, reply.body.deployment_id);
      assert.deepEqual([recycle.process_type, recycle.release_id], ["recycle", live]);
      assert.equal((await post(`/projects/${project}/recycle`)).status, 422);
    });

    it("is refused for PHP and static, in place, and before the installation", async () => {
      await deployed(stage, await fresh(), server);
      assert.equal((await post(`/projects/${project}/recycle`)).status, 422);
      await makeNode(stage, await fresh());
      assert.equal((await post(`/projects/${project}/recycle`)).status, 422);
      await deployed(stage, project, server);
      await stage.pool.query("update projects set zero_downtime = false where id = $1", [project]);
      assert.equal((await post(`/projects/${project}/recycle`)).status, 422);
    });
  });

  it("tell the user's lines from the platform's", async () => {
    const id = await running();
    const { run_id: runId } = await findRow(stage, id);
    await stage.pool.query(
      `insert into run_output (run_id, journal_offset, step_position, audience, text)
       values ($1, 0, 0, 'system', E'fetched\\n'), ($1, 9, 1, 'client', E'built\\n\\nwell\\n')`,
      [runId],
    );
    const { output } = (await get(`/deployments/${id}`)).body;
    assert.deepEqual(output, {
      process_type: "deployment",
      client_payload: ["built", "", "well"],
      system_payload: ["fetched"],
    });
  });

  it("keep their records when old logs are deleted", async () => {
    const [old, young] = [await deployed(stage, await fresh(), server), await deployed(stage, await fresh(), server)];
    for (const id of [old, young]) {
      const { run_id: runId } = await findRow(stage, id);
      await stage.pool.query(
        "insert into run_output (run_id, journal_offset, audience, text) values ($1, 0, 'system', 'x')",
        [runId],
      );
    }
    const { run_id: oldRun } = await findRow(stage, old);
    await stage.pool.query("update runs set ended_at = now() - interval '31 days' where id = $1", [oldRun]);
    const chore = deploymentChores(stage.ctx).find(({ name }) => name === "delete old logs");
    await chore?.work(new AbortController().signal);
    const linesOf = async (id: number) => (await get(`/deployments/${id}`)).body.output.system_payload;
    assert.deepEqual([await linesOf(old), await linesOf(young)], [[], ["x"]]);
    assert.equal((await findRow(stage, old)).status, 1);
  });

  it("keep their states by the database itself", async () => {
    const [id] = (await deploy(stage, await fresh())) as [number];
    const refused = [
      "update deployments set status = 1 where id = $1",
      "update deployments set status = 3 where id = $1",
      "update deployments set status = 6 where id = $1",
      "update deployments set ended_at = now() where id = $1",
    ];
    for (const statement of refused) await assert.rejects(stage.pool.query(statement, [id]), /check constraint/);
  });
});
