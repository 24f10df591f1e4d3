import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { transaction } from "../../src/db/transaction.ts";
import { findRunOf, type Run } from "../../src/engine/runs/queries.ts";
import { changePhase, findWorkflow, insertPhases } from "../../src/engine/workflow/queries.ts";
import type { Workflow } from "../../src/engine/workflow/workflow.ts";
import { type InstallData, installWorkflow } from "../../src/features/apps/installation.ts";
import { appRunKinds } from "../../src/features/apps/jobs.ts";
import { appUpdateKind } from "../../src/features/apps/schema.ts";
import { checkForUpdate } from "../../src/features/apps/updating.ts";
import { addProvisioned } from "../../src/features/servers/tests/support.ts";
import { openStage, reach, readAgain, type Stage } from "./stage.ts";

// Applications of the catalog: on a server, as a new project, and as a project. No server answers: what its steps would report is
// stored as the worker does it.

let stage: Stage;
let server: number;
let page: Page;
let offered = ["7.0.1", "6.8.1"];
const mirror = createServer((_, response) => {
  response.end(JSON.stringify(offered.map((version) => ({ version, file: `wordpress-${version}.tar.gz` }))));
});

before(async () => {
  await new Promise<void>((listening) => mirror.listen(0, "127.0.0.1", listening));
  const appsMirror = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  stage = await openStage({ appsMirror, appsChecksums: "off", answerWithinSeconds: "1" });
  server = await addProvisioned(stage, { name: "web-1", database_engine: "mariadb" });
  page = await stage.signIn("alice", "/account");
});
after(async () => {
  await stage?.close();
  mirror.close();
});
beforeEach(() => page.unrouteAll());

const at = (path: string) => `/o/${stage.cast.organizationId}/${path}`;
const button = (name: string | RegExp, of: Pick<Page, "getByRole"> = page) =>
  of.getByRole("button", { name, exact: true });
const link = (name: string, of: Pick<Page, "getByRole"> = page) => of.getByRole("link", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const row = (slug: string, of: Page = page) => of.locator(`[data-app="${slug}"]`);
const step = (name: string, state: string) => page.locator(`[data-step="${name}"] [data-state="${state}"]`);

let count = 0;

async function install(on = server): Promise<number> {
  count += 1;
  const body = { name: `Blog ${count}`, domain: `blog-${count}.example.com`, server_id: on, app_slug: "app_cms" };
  const answer = await stage.as("alice")("POST /api/v1/projects/install", { body });
  assert.ok(answer.ok, JSON.stringify(answer.body));
  return answer.body.data.id;
}

/** WordPress 6.8.1, installed some time ago. */
async function installed(): Promise<number> {
  const project = await install();
  await stage.pool.query(
    `with made as (
       insert into databases (server_id, project_id, database_type, database_name, username, password, status)
       values ($1, $2::bigint, 'mariadb', 'app_' || $2::bigint, 'app', $3, 1) returning id)
     update app_installations set database_id = (select id from made) where project_id = $2::bigint`,
    [server, project, stage.ctx.secrets.encrypt("the database's password")],
  );
  await stage.pool.query("update placements set is_prepared = true, live_release_id = 1 where project_id = $1", [
    project,
  ]);
  await stage.pool.query("update projects set app_version = '6.8.1' where id = $1", [project]);
  await endInstallation(project, "succeeded");
  return project;
}

const workflowOf = async (projectId: number) =>
  (await findWorkflow(stage.pool, { kind: "app-install", subjectId: projectId })) as Workflow<InstallData>;

async function report(project: number, phase: string, state: "running" | "failed", detail?: string): Promise<void> {
  const [kind, workflow] = [installWorkflow(stage.ctx), await workflowOf(project)];
  await transaction(stage.pool, async (tx) => {
    await insertPhases(tx, workflow.id, kind.phases);
    await changePhase(tx, workflow.id, phase, { state, detail: detail ?? null });
    await kind.onChanged?.(tx, workflow);
  });
}

async function endInstallation(project: number, state: "failed" | "succeeded"): Promise<void> {
  const workflow = await workflowOf(project);
  await transaction(stage.pool, async (tx) => {
    await tx.query("update workflows set state = $2, ended_at = now() where id = $1", [workflow.id, state]);
    await installWorkflow(stage.ctx).onEnded(tx, { ...workflow, state });
  });
}

async function failUpdate(project: number, error: string): Promise<void> {
  const [kind] = appRunKinds(stage.ctx);
  await transaction(stage.pool, async (tx) => {
    const run = (await findRunOf(tx, appUpdateKind, project)) as Run;
    await kind?.onEnded(tx, { ...run, error }, "failed");
  });
}

const passwordOf = async (project: number): Promise<string> => {
  const answer = await stage.as("alice")("GET /api/v1/projects/{id}/app", { params: { id: project } });
  assert.ok(answer.ok);
  return answer.body.data.credentials.admin_password?.value ?? assert.fail("It has no password.");
};

describe("the applications of a server", () => {
  it("are listed with what the server lacks, before the press", async () => {
    const postgresql = await addProvisioned(stage, { name: "pg-1", database_engine: "postgresql" });
    await page.goto(at(`servers/${postgresql}/apps`));
    await row("app_cms").getByText("WordPress needs MariaDB; pg-1 has PostgreSQL.").first().waitFor();
    await reach(button("Install WordPress", row("app_cms")));
    await page.getByRole("tooltip").getByText("WordPress needs MariaDB").waitFor();
    await link("Install Adminer", row("app_dbadmin")).waitFor();
  });

  it("are installed by a form that has the API's sentences, and followed on their project", async () => {
    await page.goto(at(`servers/${server}/apps`));
    await link("Install WordPress").click();
    await field("Name").fill("مدونة");
    await field("Domain").fill("first.example.com");
    await page.getByText("first.example.com is available.").waitFor();
    await field("Administrator's password").fill("12345678");
    await field("Administrator's e-mail address").fill("ann@nowhere");
    await button("Install WordPress").click();
    await page.locator("[data-invalid]").filter({ hasText: "must be an e-mail address" }).waitFor();
    await field("Administrator's e-mail address").fill("ann@example.com");
    await button("Install WordPress").click();
    await page.waitForURL(/\/projects\/\d+$/);
    await page.getByRole("heading", { level: 1, name: "مدونة" }).waitFor();
    await step("requirements", "pending").waitFor();
  });

  it("are listed with their state as it changes", async () => {
    const project = await install();
    await page.goto(at(`servers/${server}/apps`));
    const listed = page.getByRole("table", { name: "Installed applications" }).getByRole("row");
    const own = listed.filter({ hasText: `blog-${count}.example.com` });
    await own.getByText("Installing").waitFor();
    await own.getByText("WordPress").waitFor();
    await report(project, "download", "failed");
    await endInstallation(project, "failed");
    await own.locator('[data-state="failed"]').waitFor();
  });

  it("are nothing that a viewer could install", async () => {
    const victor = await stage.signIn("victor", at(`servers/${server}/apps?app=app_cms`));
    await row("app_cms", victor).waitFor();
    assert.equal(await victor.getByRole("link", { name: /^Install/ }).count(), 0);
  });

  it("show their error, and are read again", async () => {
    const read = "**/api/v1/servers/*/apps*";
    await page.route(read, (route) => route.fulfill({ status: 500, json: { message: "It broke." } }));
    await page.goto(at(`servers/${server}/apps`));
    await page.getByText("The catalog could not be read.").waitFor();
    await readAgain(page);
    await row("app_cms").waitFor();
  });
});

describe("a new project", () => {
  it("can be an application: its server first, then the catalog", async () => {
    await page.goto(at("projects/new"));
    await page.getByRole("radio", { name: /A git repository/ }).focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL(/source=app/);
    assert.match(await page.evaluate(() => document.activeElement?.closest("label")?.textContent ?? ""), /application/);
    await page.getByText("web-1", { exact: true }).click();
    await link("Install WordPress").click();
    await page.getByRole("heading", { name: "Install WordPress" }).waitFor();
    assert.ok(page.url().includes(`/servers/${server}/apps?app=app_cms`));
  });
});

describe("a project that is an application", () => {
  it("shows the steps of its installation live, why one failed, and what follows a retry", async () => {
    const project = await install();
    await page.goto(at(`projects/${project}`));
    await step("download", "pending").waitFor();
    await page.locator("header").getByText("Installing").waitFor();
    await report(project, "download", "running");
    await step("download", "running").waitFor();
    await report(project, "download", "failed", "The archive's checksum is another one.");
    await endInstallation(project, "failed");
    await page.getByText("The archive's checksum is another one.").waitFor();
    await button("Retry").click();
    await step("download", "pending").waitFor();
    await button("Retry").waitFor({ state: "detached" });
    await stage.pool.query("update projects set app_version = '7.0.1' where id = $1", [project]);
    await endInstallation(project, "succeeded");
    await page.getByRole("heading", { name: "WordPress" }).waitFor();
    await page.getByText("7.0.1", { exact: true }).waitFor();
  });

  it("has neither deployments nor an environment, and nothing to deploy", async () => {
    await page.goto(at(`projects/${await installed()}`));
    const tabs = page.getByRole("navigation", { name: "Project" }).getByRole("link");
    await tabs.first().waitFor();
    const names = await tabs.allTextContents();
    assert.deepEqual(
      ["Deployments", "Environment"].filter((name) => names.includes(name)),
      [],
    );
    assert.deepEqual(
      ["Domains", "Jobs", "Logs"].filter((name) => !names.includes(name)),
      [],
    );
    assert.equal(await button("Deploy").count(), 0);
    await button("More actions").click();
    await page.getByRole("menuitem", { name: "Begin maintenance" }).waitFor();
  });

  it("shows its credentials after a press, and forgets them", async () => {
    const project = await installed();
    const password = await passwordOf(project);
    await page.goto(at(`projects/${project}`));
    await button("Show credentials").waitFor();
    const text = () => page.evaluate(() => document.documentElement.innerHTML + JSON.stringify({ ...sessionStorage }));
    assert.ok(!(await text()).includes(password));
    await button("Show credentials").click();
    await page.getByText(password).waitFor();
    await button("Hide credentials").click();
    await page.getByText(password).waitFor({ state: "detached" });
    assert.ok(!(await text()).includes(password));
  });

  it("is updated to the newest version, with the reason when that fails", async () => {
    offered = ["7.0.1", "6.8.1"];
    const project = await installed();
    await page.goto(at(`projects/${project}`));
    await button("Update").waitFor();
    await checkForUpdate(stage.ctx, project);
    await button("Update to 7.0.1").click();
    await page.getByRole("alertdialog").getByText("WordPress 6.8.1 becomes 7.0.1", { exact: false }).waitFor();
    await button("Update", page.getByRole("alertdialog")).click();
    await page.getByText("Updating WordPress to 7.0.1").waitFor();
    await reach(button("Update to 7.0.1"));
    await page.getByRole("tooltip").getByText("being updated already").waitFor();
    await failUpdate(project, "The disk is full.");
    await page.locator('[data-state="failed"]').getByText("The disk is full.").waitFor();
  });

  it("is updated automatically when that is switched on", async () => {
    const project = await installed();
    await page.goto(at(`projects/${project}`));
    const changed = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.getByText("Install minor updates automatically").click();
    assert.equal((await changed).status(), 200);
    await page.getByRole("switch", { checked: true }).waitFor();
    await stage.as("bob")("PUT /api/v1/projects/{id}/app", {
      params: { id: project },
      body: { automatic_updates: "off" },
    });
    await page.getByRole("switch", { checked: false }).waitFor();
    const errors = { automatic_updates: "The automatic updates are not possible here." };
    await page.route(/\/app$/, (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 422, json: { message: errors.automatic_updates, errors } })
        : route.continue(),
    );
    await page.getByText("Install minor updates automatically").click();
    await page.getByRole("alert").getByText(errors.automatic_updates).waitFor();
    await page.unrouteAll();
  });

  it("shows a viewer its version, and no credentials", async () => {
    const victor = await stage.signIn("victor", at(`projects/${await installed()}`));
    await victor.getByText("6.8.1").waitFor();
    assert.equal(await button(/credentials|Update/, victor).count(), 0);
  });

  it("fits a phone, like the catalog and the form", async () => {
    const phone = await stage.signIn("alice", "/account", { viewport: { width: 360, height: 740 } });
    const project = await installed();
    for (const path of [`projects/${project}`, `servers/${server}/apps`, `servers/${server}/apps?app=app_cms`]) {
      await phone.goto(at(path));
      await phone.getByText("WordPress").first().waitFor();
      assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
    }
  });
});
