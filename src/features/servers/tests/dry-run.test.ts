import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, restrict } from "../../../http/tests/support.ts";
import {
  addDeployment,
  addProject,
  addProvisioned,
  contentsOf,
  errorsOf,
  newAddress,
  openStage,
  type Stage,
} from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage();
  id = await addProvisioned(stage, { name: "full" });
});
after(() => stage?.close());

const remove = (query: string, more: { token?: string; of?: number } = {}) =>
  call(stage.app, `DELETE /api/v1/servers/${more.of ?? id}?${query}`, { token: more.token ?? stage.cast.alice });

/** Sends a request that changes nothing; its answer. */
async function unchanged<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  const before = await contentsOf(stage.pool);
  const answer = await request();
  assert.deepEqual(await contentsOf(stage.pool), before);
  return answer;
}

describe("a dry run of the deletion of a server", () => {
  it("counts what would be lost with it, and changes nothing", async () => {
    const { pool, ctx } = stage;
    const projects = [await addProject(pool, id), await addProject(pool, id)];
    await addProject(pool, await addProvisioned(stage));
    for (const project of [...projects, projects[0] as number]) await addDeployment(pool, project);
    await pool.query(
      `insert into databases (server_id, database_type, database_name, username, password, status, size_bytes, removed_at)
       select $1, 'mariadb', 'shop_' || n, 'u' || n, $2, 1, n * 1000, case when n = 4 then now() end from generate_series(1, 4) n`,
      [id, ctx.secrets.encrypt("a password")],
    );
    await pool.query("delete from databases where server_id = $1 and not created_by_user", [id]);
    for (const [kind, cron] of [
      ["scheduled", "@daily"],
      ["background", null],
    ]) {
      await pool.query(
        `insert into project_jobs (project_id, kind, name, command, cron_expression, processes)
         values ($1, $2, $3, 'true', $4, $5)`,
        [projects[0], kind, `a ${kind} job`, cron, cron === null ? 1 : null],
      );
    }
    const { status, body, text } = await unchanged(() => remove("dry_run=1&confirm=full"));
    assert.equal(status, 200, text);
    assert.equal(body.server_id, id);
    assert.deepEqual([body.plan.price, body.plan.needs_build], [null, null]);
    const lost = Object.fromEntries(body.plan.lost.map(({ noun, ...each }: { noun: string }) => [noun, each]));
    assert.deepEqual(lost, {
      database: { count: 3, names: ["shop_1", "shop_2", "shop_3"], bytes: 6_000 },
      project: { count: 2, names: ["shop", "shop"], bytes: null },
      domain: {
        count: 2,
        names: projects.map((project) => `shop-${project}.example.com`),
        bytes: null,
      },
      scheduler_job: { count: 1, names: ["a scheduled job"], bytes: null },
      background_job: { count: 1, names: ["a background job"], bytes: null },
      deployment: { count: 3, names: [], bytes: null },
    });
    assert.match(body.message, /full would be deleted with its projects\. The machine would keep running\./);
  });

  it("is refused like the deletion itself, with the same sentence", async () => {
    const refusals = [
      () => stage.pool.query("update servers set delete_protection = true where id = $1", [id]),
      () => stage.pool.query("update servers set delete_protection = false, server_type = 4 where id = $1", [id]),
      () =>
        stage.pool.query(
          "update sites set load_balancer_id = $1 where project_id in (select id from projects limit 1)",
          [id],
        ),
    ];
    for (const [at, refuse] of refusals.entries()) {
      await refuse();
      if (at === 1) continue;
      const planned = await unchanged(() => remove("dry_run=1"));
      const real = await unchanged(() => remove("dry_run=0&confirm=full"));
      assert.equal(planned.status, 422);
      assert.deepEqual(planned.body, real.body);
    }
    await stage.pool.query("update sites set load_balancer_id = null");
    await stage.pool.query("update servers set server_type = 0 where id = $1", [id]);
    assert.deepEqual(Object.keys(errorsOf(await unchanged(() => remove("dry_run=1&confirm=other")))), ["confirm"]);
  });

  it("exists within reach only, for those who may delete it", async () => {
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [], projects: [] });
    assert.equal((await unchanged(() => remove("dry_run=1", { token: stage.cast.charlie }))).status, 404);
    for (const token of [stage.cast.bob, stage.cast.victor]) {
      assert.equal((await unchanged(() => remove("dry_run=1", { token }))).status, 403);
    }
    assert.equal((await unchanged(() => remove("dry_run=1", { of: 999_999 }))).status, 404);
  });

  it("deletes nothing because of an empty or a wrong value either", async () => {
    for (const query of ["dry_run=", "dry_run", "dry_run=yes", "dry_run=1&dry_run=0", "dryrun=1", "dry-run=1"]) {
      assert.equal((await unchanged(() => remove(query))).status, 422, query);
    }
    const other = await addProvisioned(stage);
    assert.equal((await remove("dry_run=false", { of: other })).status, 200);
    assert.equal((await remove("dry_run=1", { of: other })).status, 404);
  });
});

describe("a dry run of a new server", () => {
  const add = (body: object, query = "dry_run=1") =>
    call(stage.app, `POST /api/v1/servers?${query}`, { token: stage.cast.alice, body });
  const request = () => ({ name: "next", server_os: "debian_13", public_ip: newAddress() });

  it("checks the request, and adds nothing", async () => {
    const body = request();
    const planned = await unchanged(() => add(body));
    assert.equal(planned.status, 200, planned.text);
    assert.deepEqual(Object.keys(planned.body).sort(), ["message", "plan", "status"]);
    assert.deepEqual(planned.body.plan, { lost: [], price: null, needs_build: null, warnings: [] });
    const real = await add(body, "dry_run=0");
    assert.equal(real.status, 201, real.text);
    assert.deepEqual(Object.keys(errorsOf(await unchanged(() => add(body)))), ["public_ip"]);
    assert.deepEqual(Object.keys(errorsOf(await unchanged(() => add({ ...request(), server_os: "beos" })))), [
      "server_os",
    ]);
  });

  it("does not take the place of the request with its Idempotency-Key", async () => {
    const body = request();
    const send = (query: string) =>
      stage.app.inject({
        method: "POST",
        url: `/api/v1/servers${query}`,
        headers: { authorization: `Bearer ${stage.cast.alice}`, "idempotency-key": "one-key-for-both" },
        payload: body,
      });
    assert.equal((await send("?dry_run=1")).statusCode, 200);
    assert.equal((await send("")).statusCode, 422);
  });

  it("is refused by the limit of the plan", async () => {
    await stage.pool.query("update organizations set plan = 'starter' where id = $1", [stage.cast.organizationId]);
    assert.equal((await unchanged(() => add(request()))).status, 403);
    await stage.pool.query("update organizations set plan = 'business' where id = $1", [stage.cast.organizationId]);
  });
});
