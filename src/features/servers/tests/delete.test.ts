import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { insertRun } from "../../../engine/runs/queries.ts";
import { call } from "../../../http/tests/support.ts";
import { leaveJob } from "../leaving/deletion.ts";
import type { DepartedServer } from "../leaving/queries.ts";
import { rebootPlan } from "../reboot.ts";
import {
  addDeployment,
  addProject,
  addProvisioned,
  addServer,
  eventsOf,
  jobsIn,
  openStage,
  type Stage,
} from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage({ sshConnectTimeoutSeconds: "1", serversAllow: "127.0.0.0/8" });
});
after(() => stage?.close());
beforeEach(async () => {
  // Nothing listens there.
  id = await addProvisioned(stage, { ssh_port: 1 });
});

const remove = (token = stage.cast.alice, serverId = id) =>
  call(stage.app, `DELETE /api/v1/servers/${serverId}`, { token });

const departure = (name = "web-1") =>
  row<DepartedServer>(stage.pool, sql`select * from departed_servers where name = ${name} order by id desc limit 1`);

async function leave(departureId: number): Promise<void> {
  await leaveJob(stage.ctx).work({ departureId }, new AbortController().signal);
}

describe("deleting a server", () => {
  it("deletes nothing when the name that confirms it is another one", async () => {
    const name = (confirm: string) =>
      call(stage.app, `DELETE /api/v1/servers/${id}?confirm=${confirm}`, { token: stage.cast.alice });
    const refused = await name("web-2");
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["confirm"]]);
    assert.equal(await departure(), undefined);
    assert.equal((await name("web-1")).status, 200);
  });

  it("keeps live projects for those who ask for it, until its protection was switched", async () => {
    const { alice: token } = stage.cast;
    const isProtecting = async () =>
      (await call(stage.app, `GET /api/v1/servers/${id}`, { token })).body.data.protects_live_projects;
    const keeping = (query = "keep_live=1") => call(stage.app, `DELETE /api/v1/servers/${id}?${query}`, { token });
    const warnings = async (query: string) => (await keeping(query)).body.plan.warnings;
    const project = await addProject(stage.pool, id);
    assert.deepEqual([await isProtecting(), await warnings("keep_live=1&dry_run=1")], [false, []]);
    await stage.pool.query("update placements set live_release_id = 1 where project_id = $1", [project]);
    assert.equal(await isProtecting(), true);
    for (const query of ["keep_live=1", "keep_live=1&dry_run=1"]) {
      const refused = await keeping(query);
      assert.equal(refused.status, 422);
      assert.match(refused.body.message, /Projects are live on web-1.*Switch its deletion protection off first/);
    }
    assert.match((await warnings("dry_run=1")).join(), /Projects are live on the server/);
    const off = await call(stage.app, `PUT /api/v1/servers/${id}`, { token, body: { delete_protection: false } });
    assert.equal(off.status, 200);
    assert.deepEqual([await isProtecting(), await warnings("dry_run=1")], [false, []]);
    assert.equal((await keeping()).status, 200);
  });

  it("deletes its projects, deployments, domains and databases with it", async () => {
    const project = await addProject(stage.pool, id);
    await addDeployment(stage.pool, project);
    await stage.pool.query("update placements set live_release_id = 1 where project_id = $1", [project]);
    const reply = await remove();
    assert.equal(reply.status, 200);
    assert.equal(reply.body.server_id, id);
    for (const path of [`servers/${id}`, `projects/${project}`]) {
      assert.equal((await call(stage.app, `GET /api/v1/${path}`, { token: stage.cast.alice })).status, 404);
    }
    const left = await rows(
      stage.pool,
      sql`
        select 1 from domains where project_id = ${project} union all
        select 1 from deployments where project_id = ${project} union all
        select 1 from databases where server_id = ${id}
      `,
    );
    assert.deepEqual(left, []);
    assert.equal((await eventsOf(stage.pool, id)).at(-1), "server.deleted");
  });

  it("keeps what is needed to end its work and take the key out", async () => {
    const runId = await insertRun(stage.pool, {
      serverId: id,
      kind: "deployment",
      subject: "deployment",
      subjectId: 1,
      plan: rebootPlan,
    });
    await remove();
    const left = await departure();
    assert.deepEqual(left?.run_ids, [runId]);
    assert.ok((await jobsIn(stage.pool, "leave-server")).some((job) => job.departureId === left?.id));
    assert.match(stage.ctx.secrets.decrypt(left?.ssh_private_key as Buffer), /PRIVATE KEY/);
  });

  it("has nothing to leave where it never was", async () => {
    const never = await addServer(stage, { name: "never" });
    assert.equal((await remove(stage.cast.alice, never)).status, 200);
    assert.equal(await departure("never"), undefined);
  });

  it("is retried while the machine is away, for a week", async () => {
    await remove();
    const { id: departureId } = (await departure()) as DepartedServer;
    await stage.pool.query("update departed_servers set host = '127.0.0.1' where id = $1", [departureId]);
    await assert.rejects(leave(departureId), /did not answer/);
    assert.ok(await departure());
    await stage.pool.query("update departed_servers set created_at = now() - interval '8 days' where id = $1", [
      departureId,
    ]);
    await leave(departureId);
    const gone = await rows(stage.pool, sql`select 1 from departed_servers where id = ${departureId}`);
    assert.deepEqual(gone, []);
    await leave(departureId);
  });

  it("succeeds once when asked for twice at once", async () => {
    const replies = await Promise.all([remove(), remove()]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 404]);
  });

  it("is for owners and administrators", async () => {
    assert.equal((await remove(stage.cast.bob)).status, 403);
    assert.equal((await remove(stage.cast.victor)).status, 403);
    assert.equal((await remove(stage.cast.charlie)).status, 404);
    assert.equal((await remove(stage.cast.adam)).status, 200);
  });
});
