import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../db/sql.ts";
import { narrowToken, openStage, type Stage } from "./support.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.end());

const overview = async (token?: string) => {
  const { status, body, text } = await stage.ask("GET /api/v1/overview", token);
  assert.equal(status, 200, text);
  return body.data;
};

const none = {
  live: 0,
  unreachable: 0,
  deploying: 0,
  waiting: 0,
  crashing: 0,
  in_maintenance: 0,
  failed: 0,
  not_installed: 0,
};

test("an empty organization has zeros", async () => {
  assert.deepEqual(await overview(), {
    projects: { total: 0, ...none },
    servers: { total: 0, ready: 0, installing: 0, provisioning: 0, unreachable: 0 },
    monitors: { total: 0, up: 0, down: 0, pending: 0, inactive: 0 },
    deployments: { running: [], today: 0 },
  });
});

test("each record counts once, in its state, for members who reach it", async () => {
  const { world } = stage;
  const elsewhere = await world.server("elsewhere");
  const [running, queued] = [await world.project({ serverId: elsewhere }), await world.project()];
  const first = await world.deployment({ status: 3, projectId: running });
  const waiting = await world.deployment({ status: 0, projectId: running });
  const behind = await world.deployment({ status: 0, projectId: queued });
  // A project that runs is not counted as failed too.
  await stage.make(sql`update deployments set is_unresolved = true where id = ${first} returning id`);
  await world.deployment({ status: 2 });
  const maintained = await world.project();
  await stage.make(
    sql`update sites set maintenance_mode = true where project_id = ${maintained} returning project_id as id`,
  );
  await world.project({ installationStatus: 0 });
  await world.installedApp("app_cms", 2);
  await world.lostServer();
  const monitor = await world.monitor();
  await stage.make(
    sql`update monitors set current_status = 'down', last_status_changed_at = now() where id = ${monitor} returning id`,
  );
  await stage.make(
    sql`update deployments set created_at = now() - interval '3 days' where id = ${behind} returning id`,
  );

  const { projects, servers, monitors, deployments } = await overview();
  assert.deepEqual(projects, {
    total: 7,
    ...{
      live: 1,
      unreachable: 0,
      deploying: 1,
      waiting: 1,
      crashing: 0,
      in_maintenance: 1,
      failed: 2,
      not_installed: 1,
    },
  });
  assert.deepEqual(servers, { total: 3, ready: 2, installing: 1, provisioning: 0, unreachable: 0 });
  assert.deepEqual(monitors, { total: 1, up: 0, down: 1, pending: 0, inactive: 0 });
  // With the six that made projects live.
  assert.equal(deployments.today, 9);
  assert.deepEqual(
    deployments.running.map(({ id, waits_for }: { id: number; waits_for: number | null }) => [id, waits_for]),
    [
      [first, null],
      [behind, 0],
      [waiting, 0],
    ],
  );
  assert.deepEqual(deployments.running[0].server, { id: elsewhere, name: "elsewhere" });

  const colleague = await overview(await stage.restricted({ servers: [elsewhere] }));
  assert.deepEqual(colleague.projects, { total: 1, ...none, deploying: 1 });
  assert.equal(colleague.servers.total, 1);
  assert.equal(colleague.monitors.total, 0);
  assert.deepEqual([colleague.deployments.running.length, colleague.deployments.today], [2, 3]);
  assert.equal((await overview(stage.cast.charlie)).projects.total, 0);
});

test("what a token may not read is null", async () => {
  const { projects, servers, monitors, deployments } = await overview(await narrowToken(stage, "monitor:read"));
  assert.deepEqual([projects, servers, deployments], [null, null, null]);
  assert.equal(monitors.total, 1);
});
