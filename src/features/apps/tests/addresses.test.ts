import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { raiseWanted } from "../../../engine/reconcile/queries.ts";
import type { Target, TargetKind } from "../../../engine/reconcile/target.ts";
import type { Plan } from "../../../engine/runs/plan.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import { createRun } from "../../../engine/runs/runs.ts";
import { publishKind } from "../../site-records/schema.ts";
import { addressChecks, addressTargets } from "../addresses.ts";
import { appRunKinds } from "../jobs.ts";
import { appAddressKind } from "../schema.ts";
import { addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;
let server: number;
let project: number;
let kind: TargetKind;

before(async () => {
  stage = await openStage();
  kind = addressTargets(stage.ctx)[0] as TargetKind;
});
after(() => stage.close());

let names = 0;

async function install(slug: string): Promise<number> {
  names += 1;
  server = await addServer(stage);
  const body = { name: `App ${names}`, domain: `app-${names}.example.com`, server_id: server, app_slug: slug };
  const { id } = (await stage.ask("POST /api/v1/projects/install", body)).body.data;
  await stage.ctx.pool.query(sql`
    with placement as (
      update placements set is_prepared = true, live_release_id = 1 where project_id = ${id}
    )
    update projects set installation_status = 1, app_version = '6.63.0' where id = ${id}`);
  await siteIs(id, "one");
  return id;
}

/** The state of the site that the server has. */
async function siteIs(id: number, mark: string): Promise<void> {
  await raiseWanted(stage.ctx.pool, { ...publishKind, subjectId: id, serverId: server });
  await stage.ctx.pool.query(sql`
    update targets set applied_mark = ${mark}, applied_at = now() where kind = 'site' and subject_id = ${id}`);
}

beforeEach(async () => {
  project = await install("ghost");
});

const updates = (state: "running" | "succeeded") =>
  stage.ctx.pool.query(sql`
    update app_installations set update_state = ${state}, update_version = '6.65.0', update_release = 2,
      update_ended_at = case when ${state} = 'running' then null else now() end where project_id = ${project}`);

/** Checks due installations, as the schedule does; returns whether the project was among them. */
async function look(): Promise<boolean> {
  const { claim, work } = addressChecks(stage.ctx);
  await stage.ctx.pool.query(sql`update app_installations set address_look_at = now() where project_id = ${project}`);
  const due = await claim(stage.ctx.pool, 100);
  for (const each of due) await work(each, new AbortController().signal);
  return due.some(({ project_id: id }) => id === project);
}

const target = () =>
  row<Target>(
    stage.ctx.pool,
    sql`
      select id, kind, subject_id as "subjectId", server_id as "serverId", wanted_version as "wantedVersion"
      from targets where kind = 'app-address' and subject_id = ${project}
    `,
  );

const ref = () => ({ ...appAddressKind, subjectId: project, serverId: server });

const planned = () => kind.desired(stage.ctx.pool, ref()) as Promise<Plan | undefined>;

const knownAddress = async () =>
  (
    await row<{ address: string | null }>(
      stage.ctx.pool,
      sql`select address from app_installations where project_id = ${project}`,
    )
  )?.address;

/** The end of a run that started a process with this address, or that had nothing to do. */
const applied = (address: string | undefined) =>
  transaction(stage.ctx.pool, async (tx) => {
    const run = address === undefined ? undefined : ({ facts: { live_port: "20001", address } } as unknown as Run);
    await kind.onApplied?.(tx, ref() as Target, run);
  });

const primaryIs = (name: string) =>
  stage.ctx.pool.query(sql`update domains set domain_name = ${name} where project_id = ${project}`);

describe("the address of an application", () => {
  it("follows each state of the site once", async () => {
    assert.equal(await look(), true);
    assert.equal((await target())?.wantedVersion, 1);
    assert.equal(await look(), false);
    await siteIs(project, "two");
    assert.equal(await look(), true);
    assert.equal((await target())?.wantedVersion, 2);
  });

  it("stays when the names do, and of applications that answer with the request's", async () => {
    await stage.ctx.pool.query(sql`
      update app_installations set address = ${`http://app-${names}.example.com`} where project_id = ${project}`);
    assert.equal(await look(), true);
    assert.equal(await target(), undefined);
    project = await install("node-red");
    assert.equal(await look(), true);
    assert.equal(await target(), undefined);
    assert.equal(await look(), false);
  });

  it("waits for the end of an update", async () => {
    await updates("running");
    await look();
    assert.equal(await target(), undefined);
    assert.equal(await planned(), undefined);
    await updates("succeeded");
    assert.equal(await look(), true);
    assert.ok(await target());
  });

  it("is read before a process is started that takes the place of the former one", async () => {
    await primaryIs(`shop-${names}.example.com`);
    const plan = await planned();
    const keys = plan?.steps.map(({ key }) => key) ?? [];
    assert.ok(keys.includes("read-address") && keys.indexOf("read-address") < keys.indexOf("start-standby"), `${keys}`);
    await applied(`http://shop-${names}.example.com`);
    assert.equal(await knownAddress(), `http://shop-${names}.example.com`);
    const live = await row(
      stage.ctx.pool,
      sql`select live_port, live_release_id from placements where project_id = ${project}`,
    );
    assert.deepEqual(live, { live_port: 20001, live_release_id: 1 });
    assert.equal(await planned(), undefined);
  });

  it("is looked at again when the names changed while the process was started", async () => {
    await look();
    await primaryIs(`late-${names}.example.com`);
    await applied(`http://app-${names}.example.com`);
    assert.ok(await planned());
    assert.equal(await look(), true);
  });

  it("is the one that an update started the application with", async () => {
    await updates("running");
    const [update] = appRunKinds(stage.ctx);
    const run = { subject_id: project, plan: { steps: [] }, facts: { address: `http://app-${names}.example.com` } };
    await transaction(stage.ctx.pool, async (tx) => update?.onEnded(tx, run as unknown as Run, "succeeded"));
    assert.equal(await knownAddress(), `http://app-${names}.example.com`);
    assert.equal(await planned(), undefined);
  });

  it("is looked at again when nothing could be done then", async () => {
    await look();
    await applied(undefined);
    assert.equal(await look(), true);
  });

  it("keeps an update, a move and a recycle waiting while the process is replaced", async () => {
    await look();
    const plan = (await planned()) as Plan;
    await transaction(stage.ctx.pool, async (tx) => {
      const run = await createRun(tx, stage.ctx.queue, { ...ref(), plan });
      await tx.query(sql`
        update targets set run_id = ${run}, running_version = 1 where kind = 'app-address' and subject_id = ${project}`);
    });
    const update = await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    assert.equal(update.status, 422);
    assert.match(update.body.message, /address/);
    const west = await addServer(stage);
    const move = await stage.ask(`POST /api/v1/projects/${project}/move`, { server_id: west });
    assert.equal(move.status, 422);
    assert.match(JSON.stringify(move.body), /address/);
    const recycle = await stage.ask(`POST /api/v1/projects/${project}/recycle`);
    assert.equal(recycle.status, 422);
    assert.match(recycle.body.message, /address/);
  });
});
