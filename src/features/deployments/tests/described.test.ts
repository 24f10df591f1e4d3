import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { describeDeployments } from "../hooks.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
} from "./support.ts";

// What the record of a project names of its deployments, and by what lists of projects are sorted.

let stage: Stage;
let server: number;
before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage);
});
after(() => stage.close());

const described = async (project: number) => (await describeDeployments(stage.pool, [project])).get(project);

const recorded = (project: number) =>
  row<{ last_deployment_id: number | null; last_deployed_at: string | null }>(
    stage.pool,
    sql`select last_deployment_id, last_deployed_at from projects where id = ${project}`,
  );

const cancel = (id: number) => call(stage.app, `POST /api/v1/deployments/${id}/cancel`, { token: stage.cast.alice });

describe("the deployments of projects", () => {
  it("are null before the first one, and left out for projects that are gone", async () => {
    const project = await addProject(stage.pool, server);
    const found = await describeDeployments(stage.pool, [project, project + 1_000]);
    const none = { live_deployment: null, last_deployment: null, has_pending_changes: false };
    assert.deepEqual([...found], [[project, none]]);
    assert.deepEqual(await recorded(project), { last_deployment_id: null, last_deployed_at: null });
  });

  it("are the live one and the newest one, for each of several projects", async () => {
    const [one, other] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
    const live = await deployed(stage, one, server, "succeeded", "b".repeat(40));
    const failed = await deployed(stage, one, server, "failed");
    const [queued] = (await deploy(stage, other)) as [number];
    const found = await describeDeployments(stage.pool, [other, one]);
    const { live_deployment, last_deployment } = found.get(one) ?? {};
    const { ended_at: liveAt } = await findRow(stage, live);
    const place = { commit_message: null, git_branch: "main", git_tag: null };
    assert.deepEqual(live_deployment, { id: live, status: 1, commit_id: "b".repeat(40), ...place, at: liveAt });
    assert.deepEqual([last_deployment?.id, last_deployment?.status], [failed, 2]);
    const { created_at: requestedAt } = await findRow(stage, queued);
    const waiting = { id: queued, status: 0, commit_id: null, ...place, at: requestedAt };
    assert.deepEqual(found.get(other), { live_deployment: null, last_deployment: waiting, has_pending_changes: false });
  });

  it("are sorted by when the newest one ended, or was requested", async () => {
    const project = await addProject(stage.pool, server);
    const [first, second] = (await Promise.all([deploy(stage, project), deploy(stage, project)]))
      .flat()
      .sort((a, b) => a - b);
    assert.equal((await recorded(project))?.last_deployment_id, second);
    await dispatch(stage, server);
    await finishRun(stage, Number(first), "succeeded", { commit: "c".repeat(40) });
    // The end of an earlier one changes nothing.
    const requestedAt = (await findRow(stage, Number(second))).created_at;
    assert.deepEqual(await recorded(project), { last_deployment_id: second, last_deployed_at: requestedAt });
    await finishRun(stage, Number(second), "failed");
    const endedAt = (await findRow(stage, Number(second))).ended_at;
    assert.deepEqual(await recorded(project), { last_deployment_id: second, last_deployed_at: endedAt });
    assert.equal((await described(project))?.last_deployment?.at, endedAt);
  });

  it("follow a cancel before the start", async () => {
    const project = await addProject(stage.pool, server);
    const [id] = (await deploy(stage, project)) as [number];
    assert.equal((await cancel(id)).status, 202);
    const { ended_at: endedAt } = await findRow(stage, id);
    assert.deepEqual(await recorded(project), { last_deployment_id: id, last_deployed_at: endedAt });
  });

  it("do not count as changes of the project's record", async () => {
    const project = await addProject(stage.pool, server);
    const changedAt = () => row(stage.pool, sql`select updated_at from projects where id = ${project}`);
    const before = await changedAt();
    await deploy(stage, project);
    assert.deepEqual(await changedAt(), before);
  });
});
