import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { findWorkflow } from "../../../engine/workflow/queries.ts";
import { periodicTask } from "../../../features.ts";
import { restrict } from "../../../http/tests/support.ts";
import { addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());

let names = 0;

const request = (serverId: number, more: object = {}) => ({
  name: `Blog ${++names}`,
  domain: `blog-${names}.example.com`,
  server_id: serverId,
  app_slug: "app_cms",
  ...more,
});

const countProjects = async () =>
  (await row<{ count: number }>(stage.ctx.pool, sql`select count(*)::int as count from projects`))?.count;

describe("GET /api/v1/servers/:id/apps", () => {
  it("lists every application, and why one cannot be installed", async () => {
    const id = await addServer(stage, { engine: "postgresql" });
    const { status, body } = await stage.ask(`GET /api/v1/servers/${id}/apps`);
    assert.equal(status, 200);
    const [cms, adminer] = body.data;
    assert.deepEqual([cms.slug, cms.available], ["app_cms", false]);
    assert.match(cms.unavailable_reasons[0], /^WordPress needs MariaDB; server \d+ has PostgreSQL\.$/);
    assert.deepEqual([adminer.slug, adminer.available, adminer.unavailable_reasons], ["app_dbadmin", true, []]);
    assert.deepEqual(Object.keys(cms.inputs[0]), ["key", "label", "type", "required", "generated"]);
  });

  it("offers nothing on a server that is not set up, or is no App server", async () => {
    for (const fields of [{ status: 1 }, { type: 1 }, { type: 4, engine: "none" as const }]) {
      const { body } = await stage.ask(`GET /api/v1/servers/${await addServer(stage, fields)}/apps`);
      assert.ok(body.data.every((app: { available: boolean }) => !app.available));
    }
  });
});

describe("POST /api/v1/projects/install", () => {
  it("answers 201, and queues the installation", async () => {
    const serverId = await addServer(stage);
    const inputs = { site_title: "A", admin_password: "", admin_mail: "ann@example.com" };
    const body = request(serverId, { inputs, www_redirect: 1 });
    const reply = await stage.ask("POST /api/v1/projects/install", body);
    assert.equal(reply.status, 201, reply.text);
    assert.match(
      reply.body.warnings.join(),
      /^inputs\.admin_mail is not a field here.* Did you mean inputs\.admin_email\?$/,
    );
    const { id, ...data } = reply.body.data;
    const { name, domain } = body;
    assert.deepEqual(data, { server_id: serverId, name, app_slug: "app_cms", domain, installation_status: 0 });
    const workflow = await findWorkflow(stage.ctx.pool, { kind: "app-install", subjectId: id });
    assert.equal(workflow?.state, "running");
    const steps = await stage.ask(`GET /api/v1/projects/${id}/install-steps`);
    assert.equal(steps.body.data.steps.length, 8);
    const project = (await stage.ask(`GET /api/v1/projects/${id}`)).body;
    const { source_type, app_slug, repository, www_redirect } = project;
    assert.deepEqual([source_type, app_slug, repository, www_redirect], ["app", "app_cms", null, 1]);
    const jobs = await stage.ask(`GET /api/v1/projects/${id}/scheduler-jobs`);
    assert.match(jobs.body.data[0].command, /cron event run --due-now/);
  });

  it("is refused before anything is written when the server cannot host the application", async () => {
    const before = await countProjects();
    const reply = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage, { engine: "none" })));
    assert.equal(reply.status, 422);
    assert.match(reply.body.errors.server_id, /needs MariaDB/);
    assert.equal(await countProjects(), before);
  });

  it("reports every bad field at once", async () => {
    const body = { name: "", domain: "no domain", server_id: await addServer(stage), app_slug: "none", inputs: [] };
    const { status, body: answer } = await stage.ask("POST /api/v1/projects/install", body);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(answer.errors).sort(), ["app_slug", "domain", "inputs", "name"]);
  });

  it("reports a taken name with the other bad fields", async () => {
    const serverId = await addServer(stage);
    const first = request(serverId);
    assert.equal((await stage.ask("POST /api/v1/projects/install", first)).status, 201);
    const body = { ...request(serverId), name: first.name, domain: "no domain", inputs: { admin_password: "short" } };
    const { status, body: answer } = await stage.ask("POST /api/v1/projects/install", body);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(answer.errors).sort(), ["domain", "inputs.admin_password", "name"]);
    assert.equal(answer.errors.name, "Another project of the organization has this name.");
  });

  it("names the type of an answer that has another one", async () => {
    const inputs = { site_title: 5 };
    const reply = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage), { inputs }));
    assert.deepEqual(reply.body.errors, { "inputs.site_title": "The site title must be a string or null." });
  });

  it("refuses answers that the application cannot take", async () => {
    const inputs = { admin_username: "a\nb", admin_email: "no-address", admin_password: "short" };
    const reply = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage), { inputs }));
    assert.deepEqual(Object.keys(reply.body.errors).sort(), [
      "inputs.admin_email",
      "inputs.admin_password",
      "inputs.admin_username",
    ]);
  });

  it("takes a name of the organization once, and a domain of the installation", async () => {
    const serverId = await addServer(stage);
    const first = request(serverId);
    assert.equal((await stage.ask("POST /api/v1/projects/install", first)).status, 201);
    const named = await stage.ask("POST /api/v1/projects/install", { ...request(serverId), name: first.name });
    assert.deepEqual([named.status, Object.keys(named.body.errors)], [422, ["name"]]);
    const taken = await stage.ask("POST /api/v1/projects/install", { ...request(serverId), domain: first.domain });
    assert.deepEqual([taken.status, Object.keys(taken.body.errors)], [422, ["domain"]]);
  });

  it("keeps passwords encrypted, and shows them to those who may change the project", async () => {
    const inputs = { admin_password: "very secret words" };
    const reply = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage), { inputs }));
    const { id } = reply.body.data;
    const stored = await row<{ answers: Buffer }>(
      stage.ctx.pool,
      sql`select answers from app_installations where project_id = ${id}`,
    );
    assert.ok(!stored?.answers.toString("latin1").includes("very secret"));
    const shown = await stage.ask(`GET /api/v1/projects/${id}/app`);
    assert.equal(shown.body.data.credentials.admin_password.value, "very secret words");
    assert.equal((await stage.ask(`GET /api/v1/projects/${id}/app`, undefined, stage.cast.victor)).status, 403);

    const summary = (await stage.ask(`GET /api/v1/projects/${id}/app?view=summary`)).body.data;
    assert.equal(summary.app_slug, shown.body.data.app_slug);
    assert.deepEqual([summary.credentials, summary.database], [undefined, undefined]);
    const readings = sql`select user_email, subjects from audit_log where action = 'GET /api/v1/projects/:id/app'`;
    assert.deepEqual(await rows(stage.ctx.pool, readings), [
      { user_email: "alice@example.com", subjects: [`project:${id}`] },
    ]);
  });
});

describe("an installation that failed", () => {
  it("is retried by a member who reaches the project and not its server", async () => {
    const { pool } = stage.ctx;
    const { body } = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage)));
    const { id } = body.data;
    await pool.query("update workflows set state = 'failed', ended_at = now() where subject_id = $1", [id]);
    await pool.query("update projects set installation_status = 2 where id = $1", [id]);
    await restrict(pool, "Bob", stage.cast.organizationId, { projects: [id] });
    const reply = await stage.ask(`POST /api/v1/projects/${id}/install/retry`, {}, stage.cast.bob);
    assert.equal(reply.status, 202, reply.text);
    assert.equal((await stage.ask(`GET /api/v1/projects/${id}`)).body.installation_status, 0);
  });
});

describe("an installation that did not fail", () => {
  it("cannot be retried, updated or deployed", async () => {
    const { body } = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage)));
    const { id } = body.data;
    for (const route of [`projects/${id}/install/retry`, `projects/${id}/app/update`]) {
      assert.equal((await stage.ask(`POST /api/v1/${route}`)).status, 422, route);
    }
    assert.equal((await stage.ask("POST /api/v1/deployments", { project_ids: [id] })).status, 422);
  });

  it("shows its steps however old it is", async () => {
    const { body } = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage)));
    const { id } = body.data;
    const workflow = await findWorkflow(stage.ctx.pool, { kind: "app-install", subjectId: id });
    await stage.ctx.pool.query(
      "update workflows set state = 'succeeded', ended_at = now() - interval '1 year' where id = $1",
      [workflow?.id],
    );
    await periodicTask(stage.ctx, "delete-old-workflows").work(new AbortController().signal);
    const { body: shown } = await stage.ask(`GET /api/v1/projects/${id}/install-steps`);
    assert.equal(shown.data.steps.length, 8);
  });

  it("is cancelled when its project is deleted", async () => {
    const { body } = await stage.ask("POST /api/v1/projects/install", request(await addServer(stage)));
    const { id } = body.data;
    assert.equal((await stage.ask(`DELETE /api/v1/project/${id}`)).status, 200);
    const workflow = await findWorkflow(stage.ctx.pool, { kind: "app-install", subjectId: id });
    assert.notEqual(workflow?.cancelRequestedAt, null);
  });
});

describe("the installation of Nextcloud", () => {
  const nextcloud = async (inputs: object, distribution = "debian 12") =>
    stage.ask(
      "POST /api/v1/projects/install",
      request(await addServer(stage, { distribution }), { app_slug: "nextcloud", inputs }),
    );

  it("refuses a password that Nextcloud would decode into another one, and a PHP that is too old", async () => {
    const decoded = await nextcloud({ admin_password: "salt &amp; pepper" });
    assert.deepEqual(Object.keys(decoded.body.errors), ["inputs.admin_password"]);
    assert.equal((await nextcloud({ admin_password: "salt & pepper;" })).status, 201);
    const old = await nextcloud({}, "ubuntu 22.04");
    assert.match(old.body.errors.server_id, /needs PHP 8\.2 or newer/);
  });

  it("gives its project large uploads, the memory it asks for, and its cron job", async () => {
    const { id } = (await nextcloud({})).body.data;
    const project = (await stage.ask(`GET /api/v1/projects/${id}`)).body;
    assert.deepEqual([project.max_upload_mb, project.max_memory], [10_240, "512M"]);
    const jobs = await stage.ask(`GET /api/v1/projects/${id}/scheduler-jobs`);
    assert.match(jobs.body.data[0].command, /current\/nextcloud\/cron\.php/);
  });
});

describe("the installation of Matomo", () => {
  it("gives its project the archiving job, with the address that the site has then", async () => {
    const serverId = await addServer(stage);
    const body = request(serverId, { app_slug: "matomo" });
    const { id } = (await stage.ask("POST /api/v1/projects/install", body)).body.data;
    const jobs = await stage.ask(`GET /api/v1/projects/${id}/scheduler-jobs`);
    assert.match(jobs.body.data[0].command, /matomo\/console core:archive --url=\$\(head -n 1 /);
  });
});
