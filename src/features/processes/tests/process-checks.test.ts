import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import type { Context } from "../../../context.ts";
import { rows, sql } from "../../../db/sql.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import type { RestartedUnit } from "../../../host/systemd/restarts.ts";
import { call } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../servers/tests/support.ts";
import { settleCheck, shownLines } from "../process-checks.ts";

// Which checks of a server's processes are stored and announced; test/e2e/processes has real ones.

let stage: Stage;
let ctx: Context;
let server: SshServer;
let hosts: Hosts;
let serverId: number;
let projectId: number;
const secret = "a-secret-of-the-project";
/** What the server's journal has of each process. */
let journal: string;

before(async () => {
  stage = await openStage();
  server = await sshServer({
    exec: (_, channel) => {
      channel.write(journal);
      channel.exit(0);
      channel.end();
    },
  });
  hosts = new Hosts({ lookUp: async () => server.address, pin: async () => {}, connectTimeoutMs: 5_000 });
  ctx = { ...stage.ctx, hosts };
});
after(async () => {
  await hosts?.close();
  server?.close();
  await stage?.close();
});
beforeEach(async () => {
  journal = `starting\nno database: ${secret}\n`;
  serverId = await addProvisioned(stage);
  projectId = await addProject(stage.pool, serverId);
  const variables = stage.ctx.secrets.encrypt(`SECRET=${secret}\n`);
  await stage.pool.query("update projects set environment_variables = $2 where id = $1", [projectId, variables]);
  await stage.pool.query("delete from announcements");
  await stage.pool.query("delete from events");
});

const minute = 60_000;
const unit = (restarts: number, more: Partial<RestartedUnit> = {}): RestartedUnit => ({
  projectId,
  jobId: null,
  instance: "20000",
  restarts,
  isActive: true,
  ...more,
});
const check = (at: number, ...units: RestartedUnit[]) =>
  settleCheck(ctx, serverId, units, new Date(Date.UTC(2030, 0, 1) + at * minute));

const announced = async () =>
  rows<{ topic: string; title: string; text: string; data: Record<string, unknown> }>(
    stage.pool,
    sql`select topic, title, text, data from announcements order by id`,
  );
const topics = async () => (await announced()).map(({ topic }) => topic);
const events = async () =>
  (await rows<{ name: string }>(stage.pool, sql`select name from events where name like 'project.%' order by id`)).map(
    ({ name }) => name,
  );
const loopsOf = async (id = projectId) =>
  (await call(stage.app, `GET /api/v1/projects/${id}`, { token: stage.cast.alice })).body.crash_loops;

describe("a crash loop", () => {
  it("is in the record and announced with its last lines when it begins, and when it ends", async () => {
    await check(0, unit(30));
    assert.deepEqual([await loopsOf(), await topics()], [[], []]);
    await check(1, unit(90));
    const [loop] = await loopsOf();
    assert.deepEqual(loop, {
      job_id: null,
      server_id: serverId,
      since: "2030-01-01T00:01:00.000000Z",
      restarts: 60,
      last_lines: ["starting", "no database: ********"],
    });
    await check(2, unit(150));
    const [began, ...more] = await announced();
    assert.deepEqual([began?.topic, more], ["process.crash_loop", []]);
    assert.equal(began?.title, "The process of shop keeps crashing");
    assert.match(began?.text ?? "", /60 times within 10 minutes on web-1[\s\S]*starting\nno database: \*{8}$/);
    assert.deepEqual([began?.data.project_id, began?.data.restarts], [projectId, 60]);
    for (const at of [3, 4, 5, 6]) await check(at, unit(150));
    assert.equal((await loopsOf()).length, 1);
    await check(7, unit(150));
    assert.deepEqual(await loopsOf(), []);
    assert.deepEqual(await topics(), ["process.crash_loop", "process.recovered"]);
    assert.deepEqual(await events(), ["project.crash_loop_began", "project.crash_loop_ended"]);
  });

  it("is of one server of a balanced project", async () => {
    const further = await addProvisioned(stage);
    await stage.pool.query("insert into placements (project_id, server_id, role) values ($1, $2, 'replica')", [
      projectId,
      further,
    ]);
    await check(0, unit(1));
    const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1) + minutes * minute);
    await settleCheck(ctx, further, [unit(1)], at(0));
    await settleCheck(ctx, further, [unit(50)], at(1));
    assert.deepEqual(
      (await loopsOf()).map(({ server_id }: { server_id: number }) => server_id),
      [further],
    );
    await stage.pool.query("delete from placements where server_id = $1", [further]);
    assert.deepEqual(await loopsOf(), []);
  });

  it("of a background job names the job", async () => {
    const { rows: jobs } = await stage.pool.query(
      "insert into project_jobs (project_id, kind, name, command, processes) values ($1, 'background', 'Queue', 'x', 1) returning id",
      [projectId],
    );
    const job = { jobId: jobs[0].id as number, instance: "1" };
    await check(0, unit(1, job));
    await check(1, unit(9, job));
    assert.equal((await loopsOf())[0].job_id, job.jobId);
    assert.equal((await announced())[0]?.title, "The background job Queue of shop keeps crashing");
  });

  it("is announced once when several workers check at the same time", async () => {
    await check(0, unit(1));
    await Promise.all(Array.from({ length: 8 }, () => check(1, unit(50))));
    assert.deepEqual(await topics(), ["process.crash_loop"]);
  });

  it("is announced by the next check when a worker died before it was stored", async () => {
    await check(0, unit(1));
    const dying = { ...ctx, queue: { enqueue: () => Promise.reject(new Error("killed")) } as never };
    await stage.pool.query(
      `insert into notification_channels (organization_id, name, type, target, shown_target, topics)
      select organization_id, 'x', 'slack', $2, 'x', '{process.crash_loop}' from projects where id = $1`,
      [projectId, stage.ctx.secrets.encrypt('{"url":"https://hooks.example.test/x"}')],
    );
    const at = new Date(Date.UTC(2030, 0, 1) + minute);
    await assert.rejects(settleCheck(dying, serverId, [unit(50)], at), /killed/);
    assert.deepEqual([await topics(), await loopsOf()], [[], []]);
    await check(1, unit(50));
    assert.deepEqual(await topics(), ["process.crash_loop"]);
    await stage.pool.query("delete from notification_channels");
  });

  it("is true without lines when the server does not answer", async () => {
    await check(0, unit(1));
    await settleCheck(stage.ctx, serverId, [unit(50)], new Date(Date.UTC(2030, 0, 1) + minute));
    assert.deepEqual((await loopsOf())[0].last_lines, []);
    assert.match((await announced())[0]?.text ?? "", /could not be read|printed nothing/);
  });

  it("is not what restarts during a deployment", async () => {
    await check(0, unit(1));
    await stage.pool.query(
      `insert into deployments (organization_id, project_id, server_id, git_branch, description, status, started_at)
      select organization_id, id, server_id, 'main', 'test', 3, now() from projects where id = $1`,
      [projectId],
    );
    await check(1, unit(50));
    await stage.pool.query(
      "update deployments set status = 2, ended_at = '2030-01-01T00:01:30Z' where project_id = $1",
      [projectId],
    );
    await check(2, unit(90));
    assert.deepEqual(await topics(), []);
    await check(3, unit(150));
    assert.deepEqual(await topics(), ["process.crash_loop"]);
  });

  it("of another server's project is not believed", async () => {
    const other = await addProject(stage.pool, await addProvisioned(stage));
    await check(0, unit(1, { projectId: other }), unit(1, { projectId: 999_999 }), unit(1, { jobId: 999_999 }));
    await check(1, unit(50, { projectId: other }), unit(50, { jobId: 999_999 }));
    assert.deepEqual([await topics(), await loopsOf(other), await loopsOf()], [[], [], []]);
    assert.equal(
      (await stage.pool.query("select 1 from process_watches where project_id in ($1, $2)", [other, projectId]))
        .rowCount,
      0,
    );
  });
});

describe("the last lines", () => {
  it("are text of one line each, and fit into a message", () => {
    assert.deepEqual(shownLines("\u001b[31mred\u001b[0m\u0007 line\r\n\n  two\n"), ["red  line", "  two"]);
    const many = shownLines(Array.from({ length: 100 }, (_, at) => `${at} ${"x".repeat(1_000)}`).join("\n"));
    assert.ok(many.join("\n").length <= 3_000);
    assert.match(many.at(-1) ?? "", /^99 x+…$/);
  });
});
