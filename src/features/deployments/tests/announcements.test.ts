import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { findRun } from "../../../engine/runs/queries.ts";
import { call } from "../../../http/tests/support.ts";
import { jobsIn } from "../../servers/tests/support.ts";
import { deploymentRunKinds } from "../jobs.ts";
import {
  addProject,
  addProvisioned,
  attend,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
  openStage,
  planOf,
  type Stage,
} from "./support.ts";

interface Announced {
  topic: string;
  title: string;
  text: string;
  data: Record<string, unknown>;
  project_id: number;
}

describe("the end of a deployment", () => {
  let stage: Stage;
  let server: number;
  before(async () => {
    stage = await openStage();
    server = await addProvisioned(stage);
  });
  after(() => stage.close());

  const announced = (projectId: number) =>
    rows<Announced>(stage.pool, sql`select * from announcements where project_id = ${projectId} order by id`);

  /** Stores the end of the journal a second time, as a worker that was presumed dead does. */
  const finishAgain = async (deploymentId: number, outcome: "succeeded" | "failed") => {
    const run = await findRun(stage.pool, Number((await findRow(stage, deploymentId)).run_id));
    assert.ok(run);
    await transaction(stage.pool, async (tx) => deploymentRunKinds(stage.ctx)[0]?.onEnded(tx, run, outcome));
  };

  it("is announced with project, branch, commit, and who asked for it", async () => {
    const project = await addProject(stage.pool, server);
    const id = await deployed(stage, project, server);
    const [announcement] = await announced(project);
    assert.equal(announcement?.topic, "deployment.succeeded");
    assert.match(announcement.title, /^\w+ of shop succeeded$/);
    assert.match(announcement.text, /^Branch main at aaaaaaa on web-1, started by Alice\./);
    assert.equal(announcement.data.deployment_id, id);
    assert.equal(announcement.data.commit_id, "a".repeat(40));
    assert.equal(announcement.data.initiated_by, "Alice");
    assert.equal(announcement.data.error, null);
  });

  it("is announced once, also when it is stored twice", async () => {
    const project = await addProject(stage.pool, server);
    const id = await deployed(stage, project, server, "failed");
    await finishAgain(id, "failed");
    await finishAgain(id, "succeeded");
    const [announcement, ...more] = await announced(project);
    assert.deepEqual(more, []);
    assert.equal(announcement?.topic, "deployment.failed");
    assert.match(announcement.text, /\nIt went wrong\.$/);
    assert.equal(announcement.data.error, "It went wrong.");
  });

  it("is announced with what was noticed of a release that is live all the same", async () => {
    const project = await addProject(stage.pool, server);
    await stage.pool.query("update projects set health_path = '/up' where id = $1", [project]);
    const warningOf = async (facts: Record<string, string>, outcome: "succeeded" | "failed" = "succeeded") => {
      const [id] = (await deploy(stage, project)) as [number];
      await dispatch(stage, server);
      await finishRun(stage, id, outcome, facts);
      const reply = await call(stage.app, `GET /api/v1/deployments/${id}`, { token: stage.cast.alice });
      assert.deepEqual((await announced(project)).at(-1)?.data.warnings, reply.body.warnings);
      return reply.body.warnings;
    };
    assert.deepEqual(await warningOf({}), []);
    const all = new Set<string>();
    for (const client_error of ["400", "401", "403", "404"]) {
      const [warning, ...more] = await warningOf({ client_error });
      assert.deepEqual(more, []);
      assert.ok(warning.startsWith(`The release is live, but answers ${client_error} to /up: `), warning);
      all.add(warning.replace(client_error, ""));
    }
    assert.equal(all.size, 4, "each has an explanation of its own");
    assert.deepEqual(await warningOf({ client_error: "404" }, "failed"), []);
  });

  it("has the warnings of the step that wrote the release, and of no other", async () => {
    const project = await addProject(stage.pool, server);
    const [id] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    const writing = (await planOf(stage, id)).steps.findLastIndex(({ key }) =>
      ["export-release", "choose-public-directory"].includes(key),
    );
    const { run_id: runId } = await findRow(stage, id);
    assert.ok(writing > 0);
    const print = (offset: number, position: number, text: string) =>
      stage.pool.query("insert into run_output values ($1, $2, $3, 'system', $4)", [runId, offset, position, text]);
    await print(1, 0, "Warning: of another step\n");
    await print(2, writing, "Serving the directory web.\nWarning: First sentence.\nWarn");
    await print(3, writing, `ing: Second.\nNo Warning: x\nWarning: ${"x".repeat(600)}\n`);
    await finishRun(stage, id, "succeeded");
    const reply = await call(stage.app, `GET /api/v1/deployments/${id}`, { token: stage.cast.alice });
    assert.deepEqual(reply.body.warnings, ["First sentence.", "Second."]);
  });

  it("reaches a channel once, also when it is stored twice", async () => {
    const project = await addProject(stage.pool, server);
    const { body } = await call(stage.app, "POST /api/v1/notification-channels", {
      token: stage.cast.alice,
      body: {
        name: "Hook",
        type: "webhook",
        target: "https://hooks.example.com/a",
        on: ["deployment.failed", "deployment.succeeded"],
        project_ids: [project],
      },
    });
    const id = await deployed(stage, project, server, "failed");
    await finishAgain(id, "failed");
    const deliveries = await rows(
      stage.pool,
      sql`select 1 from notification_deliveries where channel_id = ${body.data.id}`,
    );
    assert.equal(deliveries.length, 1);
    assert.deepEqual(await jobsIn(stage.pool, "deliver-notifications"), [{ channelId: body.data.id }]);
  });

  it("is not announced when it was cancelled", async () => {
    const project = await addProject(stage.pool, server);
    await deployed(stage, project, server, "cancelled");
    assert.deepEqual(await announced(project), []);
  });

  it("is announced of one that could not even be planned", async () => {
    const project = await addProject(stage.pool, server);
    const [id] = (await deploy(stage, project)) as [number];
    await stage.pool.query("update projects set repository = '--upload-pack=evil' where id = $1", [project]);
    await dispatch(stage, server);
    await attend(stage, id);
    assert.equal((await findRow(stage, id)).status, 2);
    assert.deepEqual(
      (await announced(project)).map(({ topic }) => topic),
      ["deployment.failed"],
    );
  });

  it("announces nothing when its transaction is rolled back", async () => {
    const project = await addProject(stage.pool, server);
    const [id] = (await deploy(stage, project)) as [number];
    await dispatch(stage, server);
    const run = await findRun(stage.pool, Number((await findRow(stage, id)).run_id));
    assert.ok(run);
    const rolledBack = transaction(stage.pool, async (tx) => {
      await deploymentRunKinds(stage.ctx)[0]?.onEnded(tx, run, "failed");
      throw new Error("the connection broke");
    });
    await assert.rejects(rolledBack, /the connection broke/);
    assert.deepEqual(await announced(project), []);
    await finishRun(stage, id, "succeeded", { commit: "b".repeat(40) });
    assert.equal((await announced(project)).length, 1);
  });
});
