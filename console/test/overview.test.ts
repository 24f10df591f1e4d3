import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { World } from "../../test/route-world.ts";
import { openStage, readAgain, type Stage } from "./stage.ts";

let stage: Stage;
let world: World;
let home: string;
before(async () => {
  stage = await openStage();
  world = new World(stage.ctx, stage.cast);
  home = `/o/${stage.cast.organizationId}`;
});
after(() => stage.close());

/** A project whose last deployment failed. */
async function failedProject(name: string, error: string): Promise<{ projectId: number; deploymentId: number }> {
  const projectId = await world.project();
  await stage.pool.query("update projects set name = $2 where id = $1", [projectId, name]);
  const deploymentId = await world.insert(sql`
    insert into deployments (organization_id, project_id, server_id, git_branch, process_type, description, status,
      started_at, ended_at, error)
    select organization_id, id, server_id, 'main', 'deployment', 'test', 2, now(), now(), ${error}
    from projects where id = ${projectId} returning id`);
  return { projectId, deploymentId };
}

test("a new organization has three steps, ticked by what the API shows", async () => {
  const page = await stage.signIn("alice", home);
  const steps = page.getByRole("main").locator("ol > li");
  await steps.nth(2).waitFor();
  assert.equal(await steps.locator('[data-step="done"]').count(), 0);
  const added = await world.lostServer();
  await page.reload();
  await steps.nth(0).getByRole("link", { name: "Show servers" }).waitFor();
  assert.equal(await steps.locator('[data-step="done"]').count(), 0, "Adding one is only the beginning.");
  await stage.pool.query("delete from servers where id = $1", [added]);
  await world.server("web-1");
  await page.reload();
  await steps.nth(0).locator('[data-step="done"]').waitFor();
  assert.equal(await steps.nth(1).locator('[data-step="done"]').count(), 0);
  await world.sourceProvider();
  await page.reload();
  await steps.nth(1).locator('[data-step="done"]').waitFor();
  await page.context().close();
});

test("a server that is waited for leads to its command", async () => {
  const id = await world.lostServer();
  await stage.pool.query("update servers set setup_version = null, connect_at = 'infinity' where id = $1", [id]);
  const page = await stage.signIn("alice", home);
  const row = page.locator('li[data-kind="server_not_connected_yet"]');
  await row.getByRole("link", { name: "Show command" }).click();
  await page.waitForURL(new RegExp(`/servers/${id}$`));
  await page.getByText("authorized_keys").waitFor();
  await stage.pool.query("delete from servers where id = $1", [id]);
  await page.context().close();
});

test("what needs attention has its reason, and one press runs it again", async () => {
  const { deploymentId } = await failedProject(
    "متجر الكتب",
    "nginx rejected the configuration: unknown directive “foo”.",
  );
  const page = await stage.signIn("alice", home);
  const row = page.locator('li[data-kind="deployment_failed"]', { hasText: "متجر الكتب" });
  await row.getByText("nginx rejected the configuration").waitFor();
  assert.equal(await row.getByRole("link").getAttribute("href"), `${home}/deployments/${deploymentId}`);
  await row.getByRole("button", { name: "Run again" }).click();
  await page.locator("li", { hasText: "متجر الكتب" }).locator('[data-state="queued"]').first().waitFor();
  await page.context().close();
});

test("an item is hidden for some time, from the one who asked for it", async () => {
  await failedProject("Snoozed shop", "The build ran out of memory.");
  const page = await stage.signIn("bob", home);
  const row = page.locator('li[data-kind="deployment_failed"]', { hasText: "Snoozed shop" });
  await row.getByRole("button", { name: "Snooze Snoozed shop" }).click();
  await page.getByRole("menuitem", { name: "Until tomorrow morning" }).click();
  await row.waitFor({ state: "detached" });
  const { body } = await stage.as("alice")("GET /api/v1/attention");
  assert.ok("data" in body && body.data.some(({ subject }) => subject.name === "Snoozed shop"));
  await page.context().close();
});

test("ten of what needs attention are shown, and the others on request", async () => {
  for (let n = 0; n < 11; n++) await failedProject(`Failed shop ${n}`, "It failed.");
  const page = await stage.signIn("alice", home);
  const rows = page.getByRole("main").locator("li[data-kind]");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 10);
  const more = page.getByRole("button", { name: /^Show \d+ more$/ });
  await more.press("Enter");
  await rows.nth(10).waitFor();
  const fewer = page.locator("button[aria-expanded=true]", { hasText: "Show the worst" });
  assert.ok(await fewer.evaluate((button) => button === document.activeElement));
  await fewer.press("Enter");
  await rows.nth(10).waitFor({ state: "detached" });
  await page.context().close();
});

test("a viewer sees what is wrong, and no button that the role never has", async () => {
  await failedProject("Viewed shop", "It failed.");
  const page = await stage.signIn("victor", home);
  const row = page.locator('li[data-kind="deployment_failed"]', { hasText: "Viewed shop" });
  await row.waitFor();
  assert.equal(await row.getByRole("button", { name: /Run again/ }).count(), 0);
  await page.context().close();
});

test("a restricted member sees nothing of what is out of reach", async () => {
  const inside = await failedProject("Within reach", "It failed.");
  await failedProject("Out of reach", "It failed.");
  const { organizationId, userIds } = stage.cast;
  const restricted = await stage.as("alice")("PUT /api/v1/organizations/{id}/members/{userId}", {
    params: { id: organizationId, userId: userIds.bob },
    body: { restriction: { server_ids: [], project_ids: [inside.projectId] } },
  });
  assert.ok(restricted.ok);
  const page = await stage.signIn("bob", home);
  await page.locator("li[data-kind]", { hasText: "Within reach" }).waitFor();
  assert.equal(await page.getByText("Out of reach").count(), 0);
  assert.equal(await page.getByRole("main").locator('a[href$="/projects"]').textContent(), "1");
  await page.context().close();
});

test("the place in the queue is in words, and a read that failed can be repeated", async () => {
  const projectId = await world.project();
  await world.deployment({ status: 3, projectId });
  await world.deployment({ status: 0, projectId });
  const page = await stage.signIn("alice", home);
  await page
    .getByText(/^After \d+ other|^Next on/)
    .first()
    .waitFor();
  await page.route("**/api/v1/attention", (route) =>
    route.fulfill({
      status: 503,
      json: { message: "The database does not answer." },
      headers: { "x-request-id": "r-1" },
    }),
  );
  await page.reload();
  const failed = page.getByRole("alert").filter({ hasText: "What needs attention could not be read." });
  await failed.getByText("The database does not answer.").waitFor();
  await failed.getByText("r-1").waitFor();
  await readAgain(page);
  await page.locator('li[data-kind="deployment_failed"]').first().waitFor();
  await page.context().close();
});
