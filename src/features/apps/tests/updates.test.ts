import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import type { PoolClient } from "pg";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { findRunOf, type Run } from "../../../engine/runs/queries.ts";
import { untilBlocked } from "../../organizations/tests/support.ts";
import { appRunKinds } from "../jobs.ts";
import { claimVersionChecks } from "../queries.ts";
import { appUpdateKind } from "../schema.ts";
import { checkForUpdate } from "../updating.ts";
import { addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;
let project: number;
let offered: string[] = [];
let security: string | undefined;
const mirror = createServer((_, response) => {
  const entry = (version: string) => ({ version, file: `wordpress-${version}.tar.gz`, security: version === security });
  response.end(JSON.stringify(offered.map(entry)));
});

before(async () => {
  await new Promise<void>((listening) => mirror.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  stage = await openStage({ appsMirror: url, appsChecksums: "off" });
});
after(async () => {
  await stage.close();
  mirror.close();
});

let names = 0;

// WordPress 6.8.1 that was installed some time ago.
beforeEach(async () => {
  security = undefined;
  names += 1;
  const body = {
    name: `Blog ${names}`,
    domain: `blog-${names}.example.com`,
    server_id: await addServer(stage),
    app_slug: "app_cms",
  };
  project = (await stage.ask("POST /api/v1/projects/install", body)).body.data.id;
  const { pool, secrets } = stage.ctx;
  await pool.query(sql`
    with made as (
      insert into databases (server_id, project_id, database_type, database_name, username, password, status)
      select server_id, id, 'mariadb', 'cms', 'cms', ${secrets.encrypt("p")}, 1 from projects where id = ${project}
      returning id)
    update app_installations set database_id = (select id from made), next_look_at = now() where project_id = ${project}`);
  await pool.query(sql`
    with placement as (update placements set is_prepared = true, live_release_id = 1 where project_id = ${project})
    update projects set installation_status = 1, app_version = '6.8.1'
    where id = ${project}`);
});

const details = async () => (await stage.ask(`GET /api/v1/projects/${project}/app`)).body.data;

const announced = async () => {
  const found = await rows<{ topic: string; title: string }>(
    stage.ctx.pool,
    sql`select topic, title from announcements where project_id = ${project} order by id`,
  );
  return found.map(({ topic, title }) => [topic, title]);
};

const runOf = () => transaction(stage.ctx.pool, (tx) => findRunOf(tx, appUpdateKind, project));

describe("the daily look", () => {
  it("takes each installation once a day, and only what is installed", async () => {
    const due = async () => (await claimVersionChecks(stage.ctx.pool, 100)).map(({ project_id: id }) => id);
    assert.ok((await due()).includes(project));
    assert.deepEqual(await due(), []);
    await stage.ctx.pool.query(sql`
      update projects set installation_status = 2 where id = ${project}`);
    await stage.ctx.pool.query(sql`update app_installations set next_look_at = now() where project_id = ${project}`);
    assert.deepEqual(await due(), []);
  });

  it("shows the newest version, until it is installed or withdrawn", async () => {
    offered = ["7.0", "6.8.2", "6.8.1"];
    await checkForUpdate(stage.ctx, project);
    assert.equal((await details()).update_available, "7.0");
    assert.equal(await runOf(), undefined);
    offered = ["6.8.1"];
    await checkForUpdate(stage.ctx, project);
    assert.equal((await details()).update_available, null);
  });

  it("notifies the owners of a security update, once for each version", async () => {
    offered = ["7.0", "6.8.2", "6.8.1"];
    await checkForUpdate(stage.ctx, project);
    assert.deepEqual(await announced(), []);
    security = "6.8.2";
    for (let look = 0; look < 2; look++) {
      // The version is known by then, but not that it fixes a vulnerability.
      await checkForUpdate(stage.ctx, project);
      assert.deepEqual(await announced(), [["app.security_update", `Security update of WordPress for Blog ${names}`]]);
      assert.equal((await details()).update_is_security, true);
    }
    security = "6.8.1";
    await checkForUpdate(stage.ctx, project);
    assert.equal((await details()).update_is_security, false, "the one that is installed is none");
  });

  it("updates within the line of versions when that is wanted, and once", async () => {
    offered = ["7.0", "6.8.2", "6.8.1"];
    await stage.ask(`PUT /api/v1/projects/${project}/app`, { automatic_updates: "minor" });
    await checkForUpdate(stage.ctx, project);
    const { last_update: update } = await details();
    assert.deepEqual([update.state, update.version], ["running", "6.8.2"]);
    await checkForUpdate(stage.ctx, project);
    const runs = await rows(
      stage.ctx.pool,
      sql`select 1 from runs where kind = 'app-update' and subject_id = ${project}`,
    );
    assert.equal(runs.length, 1);
  });

  it("does not repeat an update that failed", async () => {
    offered = ["6.8.2", "6.8.1"];
    await stage.ask(`PUT /api/v1/projects/${project}/app`, { automatic_updates: "minor" });
    await checkForUpdate(stage.ctx, project);
    await end("failed");
    assert.equal((await details()).last_update.error, "The disk is full.");
    await checkForUpdate(stage.ctx, project);
    assert.equal((await details()).last_update.state, "failed");
  });
});

async function end(outcome: "failed" | "succeeded", before?: (tx: PoolClient) => Promise<unknown>): Promise<void> {
  const [kind] = appRunKinds(stage.ctx);
  await transaction(stage.ctx.pool, async (tx) => {
    await before?.(tx);
    const run = (await findRunOf(tx, appUpdateKind, project)) as Run;
    await kind?.onEnded(tx, { ...run, error: outcome === "failed" ? "The disk is full." : null }, outcome);
  });
}

describe("an update", () => {
  beforeEach(() => {
    offered = ["7.0", "6.8.1"];
  });

  it("is queued once at a time", async () => {
    const first = await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    assert.deepEqual([first.status, first.body.message], [202, "WordPress is being updated to 7.0."]);
    const second = await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    assert.equal(second.status, 422);
  });

  it("that succeeded makes its release and version the live ones", async () => {
    await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    await end("succeeded");
    const live = await row(
      stage.ctx.pool,
      sql`select live_release_id, app_version from projects join placements on project_id = id where id = ${project}`,
    );
    assert.deepEqual(live, { live_release_id: 2, app_version: "7.0" });
    assert.equal((await details()).last_update.state, "succeeded");
  });

  it("that ends while the application is shown is shown as running, with the former version", async () => {
    await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    let shown: ReturnType<typeof details> | undefined;
    await end("succeeded", async (tx) => {
      await tx.query("lock table app_installations in access exclusive mode");
      shown = details();
      await untilBlocked(stage.ctx.pool);
    });
    const { app_version: version, last_update: update } = await (shown as ReturnType<typeof details>);
    assert.deepEqual([version, update.state], ["6.8.1", "running"]);
  });

  it("that failed leaves both, and is announced", async () => {
    await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    await end("failed");
    const live = await row(
      stage.ctx.pool,
      sql`select live_release_id, app_version from projects join placements on project_id = id where id = ${project}`,
    );
    assert.deepEqual(live, { live_release_id: 1, app_version: "6.8.1" });
    assert.deepEqual(await announced(), [["app.update_failed", `Blog ${names} was not updated to 7.0`]]);
  });

  it("carries no password in its plan", async () => {
    const { credentials } = await details();
    await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    const run = await runOf();
    assert.ok(run && run.plan.steps.length > 10);
    assert.ok(!JSON.stringify(run.plan).includes(credentials.admin_password.value));
  });

  it("of a repository's project is not found", async () => {
    await stage.ctx.pool.query(sql`
      update projects set source_type = 'git', repository = 'https://git.example.com/a.git' where id = ${project}`);
    for (const line of [`GET /api/v1/projects/${project}/app`, `POST /api/v1/projects/${project}/app/update`]) {
      assert.equal((await stage.ask(line)).status, 404, line);
    }
  });
});
