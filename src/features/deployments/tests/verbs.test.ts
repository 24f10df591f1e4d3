import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { periodicTask } from "../../../features.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
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
  planOf,
  type Stage,
  startRuns,
  tellTooLate,
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

  const setPrepared = () =>
    stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
  const setZeroDowntime = (isOn: boolean) =>
    stage.pool.query("update projects set zero_downtime = $2 where id = $1", [project, isOn]);

  it("proposes the settings that take along the files for which it was refused", async () => {
    const refused =
      'The application has written files into the live release that would be lost: a.db, b. To keep them, set the shared directories to ["b, \\"c\\"]"] and the shared files to ["a.db"] and deploy again: what they hold is taken along. If they may go, have the project discard written files (discard_written_files).';
    const proposed = async (reason: string) => {
      const id = await running();
      await finishRun(stage, id, "failed", {}, reason);
      const { proposed_settings: settings, error } = (await get(`/deployments/${id}`)).body;
      assert.equal(error, reason);
      return settings;
    };
    assert.deepEqual(await proposed(refused), { shared_directories: ['b, "c"]'], shared_files: ["a.db"] });
    assert.deepEqual(await proposed(refused.replace(/the shared directories.*?and /, "")), { shared_files: ["a.db"] });
    const former = refused.replaceAll(/the shared (directories|files)/g, "shared_$1");
    assert.deepEqual(await proposed(former), { shared_directories: ['b, "c"]'], shared_files: ["a.db"] });
    assert.equal(await proposed("Build failed: set the shared directories to [] and"), null);
  });

  describe("a request for several", () => {
    it("queues all of them and returns their ids", async () => {
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

    it("names all that cannot be reached, and no other", async () => {
      const mine = await fresh();
      const reply = await post("/deployments", { project_ids: [mine, 999_998, 999_999] });
      assert.deepEqual([reply.status, reply.body.message], [404, "Projects 999998, 999999 were not found."]);
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

    it("is refused to one that began in place, whatever the project's setting is by now", async () => {
      const [id] = (await deploy(stage, await fresh())) as [number];
      await setZeroDowntime(false);
      await dispatch(stage, server);
      await setZeroDowntime(true);
      const reply = await post(`/deployments/${id}/cancel`);
      assert.equal(reply.status, 409);
      assert.match(reply.body.message, /in place/);
      assert.equal((await findRow(stage, id)).status, 3);
    });

    it("is possible for one that began without downtime, after the project was switched to in place", async () => {
      const id = await running();
      await setZeroDowntime(false);
      assert.equal((await post(`/deployments/${id}/cancel`)).body.state, "cancelling");
    });

    it("is possible in place while it is queued", async () => {
      const [id] = (await deploy(stage, await fresh())) as [number];
      await setZeroDowntime(false);
      assert.equal((await post(`/deployments/${id}/cancel`)).body.state, "cancelled");
    });

    it("is refused once the release is live, with the advice to roll back", async () => {
      const id = await running();
      const { run_id: runId } = await findRow(stage, id);
      await startRuns(stage);
      await stage.pool.query(
        "update run_steps set status = 'completed', started_at = now() where run_id = $1 and key = 'prune-releases'",
        [runId],
      );
      const reply = await post(`/deployments/${id}/cancel`);
      assert.equal(reply.status, 409);
      assert.match(reply.body.message, /[Rr]oll back/);
    });

    it("is refused once the server has reported that it came too late", async () => {
      const id = await running();
      assert.equal((await post(`/deployments/${id}/cancel`)).status, 202);
      await tellTooLate(stage, id);
      assert.equal((await findRow(stage, id)).status, 3);
      const reply = await post(`/deployments/${id}/cancel`);
      assert.equal(reply.status, 409);
      assert.match(reply.body.message, /[Rr]oll back/);
    });

    it("is refused after the end, whatever the end was", async () => {
      for (const outcome of ["succeeded", "failed"] as const) {
        const id = await deployed(stage, await fresh(), server, outcome);
        assert.equal((await post(`/deployments/${id}/cancel`)).status, 409, outcome);
      }
      const [id] = (await deploy(stage, await fresh())) as [number];
      assert.equal((await post(`/deployments/${id}/cancel`)).status, 202);
      assert.equal((await post(`/deployments/${id}/cancel`)).status, 409);
    });

    it("of ten at once is accepted once", async () => {
      for (const id of [await running(), ...(await deploy(stage, await fresh()))]) {
        const replies = await Promise.all(Array.from({ length: 10 }, () => post(`/deployments/${id}/cancel`)));
        const statuses = replies.map((reply) => reply.status).sort();
        assert.deepEqual(statuses, [202, ...Array(9).fill(409)]);
      }
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

    it("of a rollback is a rollback, and of a recycle a recycle while its release is live", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("c"));
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      await makeNode(stage, project);
      const live = await deployed(stage, project, server, "succeeded", commit("d"));
      const failedAgain = async (path: string) => {
        const { deployment_id: failed } = (await post(path)).body;
        await dispatch(stage, server);
        await finishRun(stage, failed, "failed");
        const again = await findRow(stage, (await post(`/deployments/${failed}/rerun`)).body.deployment_id);
        await post(`/deployments/${again.id}/cancel`);
        return { type: again.process_type, release: again.release_id, commit: again.commit_id, failed };
      };
      const rollback = await failedAgain(`/deployments/${first}/rollback`);
      assert.deepEqual([rollback.type, rollback.release, rollback.commit], ["rollback", first, commit("c")]);
      const recycle = await failedAgain(`/projects/${project}/recycle`);
      assert.deepEqual([recycle.type, recycle.release, recycle.commit], ["recycle", live, commit("d")]);
      await deploy(stage, project);
      const behind = await findRow(stage, (await post(`/deployments/${recycle.failed}/rerun`)).body.deployment_id);
      assert.deepEqual([behind.process_type, behind.release_id, behind.commit_id], ["deployment", null, commit("d")]);
      await stage.pool.query(
        "update deployments set status = 5, ended_at = now() where project_id = $1 and status = 0",
        [project],
      );
      await deployed(stage, project, server, "succeeded", commit("e"));
      const late = await findRow(stage, (await post(`/deployments/${recycle.failed}/rerun`)).body.deployment_id);
      assert.deepEqual([late.process_type, late.release_id, late.commit_id], ["deployment", null, commit("d")]);
    });

    it("is refused for any other: queued, running, cancelling, successful or cancelled", async () => {
      const [queued] = (await deploy(stage, await fresh())) as [number];
      const cancelling = await running();
      await post(`/deployments/${cancelling}/cancel`);
      const [cancelled] = (await deploy(stage, await fresh())) as [number];
      await post(`/deployments/${cancelled}/cancel`);
      const good = await deployed(stage, await fresh(), server);
      for (const id of [queued, await running(), cancelling, cancelled, good]) {
        assert.equal((await post(`/deployments/${id}/rerun`)).status, 422, JSON.stringify(await findRow(stage, id)));
      }
    });
  });

  describe("rollback", () => {
    it("to a release that is kept makes it live without a build", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("c"));
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      await deployed(stage, project, server, "succeeded", commit("d"));
      const reply = await post(`/deployments/${first}/rollback`);
      assert.equal(reply.status, 202);
      await dispatch(stage, server);
      const rollback = await findRow(stage, reply.body.deployment_id);
      assert.deepEqual(
        [rollback.process_type, rollback.release_id, rollback.commit_id],
        ["rollback", first, commit("c")],
      );
      assert.equal((await planOf(stage, rollback.id)).kind, "rollback");
      await finishRun(stage, rollback.id, "succeeded");
      const live = await stage.pool.query(
        "select live_deployment_id, live_release_id from placements where project_id = $1",
        [project],
      );
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
      assert.match(JSON.stringify(await planOf(stage, rollback.id)), new RegExp(commit("a")));
    });

    it("to one that its server does not report any more builds its commit again, and disk use is in the record", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("c"));
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      const second = await deployed(stage, project, server, "succeeded", commit("d"));
      assert.equal((await get(`/projects/${project}`)).body.disk, null);
      const [third] = (await deploy(stage, project)) as [number];
      await dispatch(stage, server);
      const facts = { releases_bytes: "5000000000", caches_bytes: "12", kept_releases: `${third} ${second}` };
      await finishRun(stage, third, "succeeded", { commit: commit("e"), ...facts });
      const { disk } = (await get(`/projects/${project}`)).body;
      assert.deepEqual([disk.releases_bytes, disk.caches_bytes], [5_000_000_000, 12]);
      assert.ok(Math.abs(Date.parse(disk.measured_at) - Date.now()) < 60_000);
      const rollback = async (to: number) => {
        const { deployment_id: id } = (await post(`/deployments/${to}/rollback`)).body;
        await dispatch(stage, server);
        const { release_id: release } = await findRow(stage, id);
        await finishRun(stage, id, "failed");
        return release === id ? "built" : release;
      };
      assert.deepEqual([await rollback(first), await rollback(second)], ["built", second]);
    });

    it("to one that was made in place builds its commit again", async () => {
      await fresh();
      await setPrepared();
      await setZeroDowntime(false);
      const first = await deployed(stage, project, server, "succeeded", commit("c"));
      await deployed(stage, project, server, "succeeded", commit("d"));
      await setZeroDowntime(true);
      const { deployment_id: id } = (await post(`/deployments/${first}/rollback`)).body;
      await dispatch(stage, server);
      assert.equal((await findRow(stage, id)).release_id, id);
      assert.match(JSON.stringify(await planOf(stage, id)), new RegExp(commit("c")));
    });

    it("is offered to no deployment whose release is live again, and refused to it", async () => {
      await makeNode(stage, await fresh());
      await setPrepared();
      const first = await deployed(stage, project, server, "succeeded", commit("1"));
      const second = await deployed(stage, project, server, "succeeded", commit("2"));
      const finished = async (path: string): Promise<number> => {
        const { deployment_id: id } = (await post(path)).body;
        await dispatch(stage, server);
        await finishRun(stage, id, "succeeded");
        return id;
      };
      const offered = async (): Promise<number[]> =>
        (await get(`/projects/${project}/rollback-candidates`)).body.map(({ id }: { id: number }) => id);
      await finished(`/projects/${project}/recycle`);
      assert.deepEqual(await offered(), [first]);
      assert.equal((await post(`/deployments/${second}/rollback`)).status, 422);
      await finished(`/deployments/${first}/rollback`);
      assert.equal((await offered()).at(-1), second);
      assert.ok(!(await offered()).includes(first));
      const reply = await post(`/deployments/${first}/rollback`);
      assert.equal(reply.status, 422);
      assert.match(reply.body.message, /live/);
    });

    it("is offered to earlier successes with a commit, but for the live one", async () => {
      const first = await deployed(stage, await fresh(), server, "succeeded", commit("e"));
      const bare = await deployed(stage, project, server);
      await stage.pool.query("update deployments set commit_id = null where id = $1", [bare]);
      await deployed(stage, project, server, "failed", commit("f"));
      await deployed(stage, project, server, "succeeded", commit("0"));
      const candidates = await get(`/projects/${project}/rollback-candidates`);
      assert.deepEqual(
        candidates.body.map((candidate: { id: number }) => candidate.id),
        [first],
      );
      assert.deepEqual(Object.keys(candidates.body[0]).sort(), [
        "commit_id",
        "created_at",
        "description",
        "git_branch",
        "git_tag",
        "id",
      ]);
    });

    it("is refused to the live one, to one without a commit, and to one that was not successful", async () => {
      const bare = await deployed(stage, await fresh(), server);
      await stage.pool.query("update deployments set commit_id = null where id = $1", [bare]);
      const failed = await deployed(stage, project, server, "failed", commit("f"));
      const live = await deployed(stage, project, server, "succeeded", commit("0"));
      const [cancelled] = (await deploy(stage, project)) as [number];
      await post(`/deployments/${cancelled}/cancel`);
      const [queued] = (await deploy(stage, project)) as [number];
      for (const id of [bare, failed, live, cancelled, queued]) {
        const reply = await post(`/deployments/${id}/rollback`);
        assert.equal(reply.status, 422, `${id}: ${reply.text}`);
      }
      await dispatch(stage, server);
      assert.equal((await post(`/deployments/${queued}/rollback`)).status, 422);
    });
  });

  describe("recycle", () => {
    it("queues a fresh process of the live release, and the commit stays", async () => {
      const live = await deployed(stage, await fresh(), server, "succeeded", commit("a"));
      await stage.pool.query("update placements set is_prepared = true where project_id = $1", [project]);
      await makeNode(stage, project);
      const reply = await post(`/projects/${project}/recycle`);
      assert.equal(reply.status, 202);
      assert.equal(reply.body.project_id, project);
      await dispatch(stage, server);
      const recycle = await findRow(stage, reply.body.deployment_id);
      assert.deepEqual([recycle.process_type, recycle.release_id, recycle.commit_id], ["recycle", live, commit("a")]);
      assert.equal((await planOf(stage, recycle.id)).kind, "recycle");
    });

    const refusedRecycle = async (why: RegExp) => {
      const reply = await post(`/projects/${project}/recycle`);
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.body.message, why);
    };

    it("is refused for PHP and static projects", async () => {
      await deployed(stage, await fresh(), server);
      await refusedRecycle(/Node/);
      await stage.pool.query("update projects set framework_id = 1 where id = $1", [project]);
      await refusedRecycle(/Node/);
    });

    it("is refused in place", async () => {
      await makeNode(stage, await fresh());
      await deployed(stage, project, server);
      await setZeroDowntime(false);
      await refusedRecycle(/in place/);
    });

    it("is refused while the live release is one that was made in place", async () => {
      await makeNode(stage, await fresh());
      await setPrepared();
      await setZeroDowntime(false);
      await deployed(stage, project, server);
      await setZeroDowntime(true);
      await refusedRecycle(/in place/);
      await deployed(stage, project, server);
      assert.equal((await post(`/projects/${project}/recycle`)).status, 202);
    });

    it("builds nothing when the project is switched to in place before its turn: it fails with the reason", async () => {
      await makeNode(stage, await fresh());
      await setPrepared();
      await deployed(stage, project, server);
      const { deployment_id: id } = (await post(`/projects/${project}/recycle`)).body;
      await setZeroDowntime(false);
      await dispatch(stage, server);
      const { status, error, run_id: runId } = await findRow(stage, id);
      assert.deepEqual([status, runId], [2, null]);
      assert.match(String(error), /deploys in place, so it has no standby/);
    });

    it("builds nothing where the live release was made in place: it fails with the reason", async () => {
      await makeNode(stage, await fresh());
      await setPrepared();
      const live = await deployed(stage, project, server);
      const { deployment_id: id } = (await post(`/projects/${project}/recycle`)).body;
      // As on a further server, whose release may have been made in another way.
      await stage.pool.query("update deployments set in_place = true where id = $1", [live]);
      await dispatch(stage, server);
      const { status, error } = await findRow(stage, id);
      assert.equal(status, 2);
      assert.match(String(error), /live release was deployed in place/);
    });

    it("builds nothing when its release is gone: it fails with the reason", async () => {
      await makeNode(stage, await fresh());
      await setPrepared();
      await deployed(stage, project, server);
      const { deployment_id: id } = (await post(`/projects/${project}/recycle`)).body;
      await stage.pool.query(
        "update placements set live_release_id = null, kept_releases = '{}' where project_id = $1",
        [project],
      );
      await stage.pool.query("update deployments set release_id = 0 where id = $1", [id]);
      await dispatch(stage, server);
      const { status, error } = await findRow(stage, id);
      assert.equal(status, 2);
      assert.match(String(error), /no longer on the server/);
    });

    it("is refused while a deployment is queued or runs on a further server", async () => {
      await makeNode(stage, await fresh());
      const root = await deployed(stage, project, server);
      const further = await addProvisioned(stage);
      const { rows } = await stage.pool.query(
        `insert into deployments (organization_id, project_id, server_id, git_branch, description, rolling_of)
         select organization_id, id, $2, 'main', '', $3 from projects where id = $1 returning id`,
        [project, further, root],
      );
      await refusedRecycle(/queued or running/);
      await post(`/deployments/${rows[0].id}/cancel`);
      assert.equal((await post(`/projects/${project}/recycle`)).status, 202);
    });

    it("is refused before the project is installed", async () => {
      await makeNode(stage, await fresh());
      await refusedRecycle(/not installed/);
    });

    it("is refused while a deployment is queued, running or being cancelled", async () => {
      await makeNode(stage, await fresh());
      await deployed(stage, project, server);
      const [id] = (await deploy(stage, project)) as [number];
      await refusedRecycle(/queued or running/);
      await dispatch(stage, server);
      await refusedRecycle(/queued or running/);
      await post(`/deployments/${id}/cancel`);
      await refusedRecycle(/queued or running/);
      await finishRun(stage, id, "cancelled");
      assert.equal((await post(`/projects/${project}/recycle`)).status, 202);
    });

    it("of ten at once is queued once", async () => {
      await makeNode(stage, await fresh());
      await deployed(stage, project, server);
      const replies = await Promise.all(Array.from({ length: 10 }, () => post(`/projects/${project}/recycle`)));
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [202, ...Array(9).fill(422)]);
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
    await periodicTask(stage.ctx, "delete-old-logs").work(new AbortController().signal);
    const linesOf = async (id: number) => (await get(`/deployments/${id}`)).body.output.system_payload;
    assert.deepEqual([await linesOf(old), await linesOf(young)], [[], ["x"]]);
    assert.equal((await findRow(stage, old)).status, 1);
  });
});
