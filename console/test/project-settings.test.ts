import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { addProject, addProvisioned, deployed } from "../../src/features/deployments/tests/support.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// What a project's settings have besides its form: the move to another server, and the password of its site. No server responds,
// so that what is applied to one waits as long as a request may.

let stage: Stage;
let page: Page;
let east: number;
let project: number;
before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  east = await addProvisioned(stage, { name: "east" });
  await addProvisioned(stage, { name: "west" });
  await addProvisioned(stage, { name: "db-1", server_type: 1 });
  project = await addProject(stage.pool, east);
  await deployed(stage, project, east);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(() => page.goto(settings()));

const settings = (id = project) => `/o/${stage.cast.organizationId}/projects/${id}/settings`;
const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog").or(page.getByRole("alertdialog"));
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const record = async () => {
  const read = await stage.as("alice")("GET /api/v1/projects/{id}", { params: { id: project } });
  assert.ok(read.ok);
  return read.body;
};

describe("the settings of a project", () => {
  it("have limits of uploads and releases, with the API's sentence at a bad one", async () => {
    await field("Largest upload").fill("0");
    await button("Save").click();
    await page.locator("[data-invalid]").filter({ hasText: "Largest upload" }).waitFor();
    await field("Largest upload").fill("250");
    await field("Space for kept releases").fill("800");
    await page.getByText(/^HSTS/).click();
    await field("Trusted proxies").fill("203.0.113.0/24\n");
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    const { max_upload_mb, kept_releases_mb, hsts_is_enabled, trusted_proxies } = await record();
    assert.deepEqual(
      { max_upload_mb, kept_releases_mb, hsts_is_enabled, trusted_proxies },
      { max_upload_mb: 250, kept_releases_mb: 800, hsts_is_enabled: true, trusted_proxies: ["203.0.113.0/24"] },
    );
  });

  it("deploy tags that fit a pattern, with the API's sentence at a bad one", async () => {
    await field("Tags to deploy").fill("v[0-9]");
    await button("Save").click();
    await page.locator("[data-invalid]").filter({ hasText: "Tags to deploy" }).waitFor();
    await field("Tags to deploy").fill("v*");
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    assert.equal((await record()).deploy_tags, "v*");
  });

  it("change PHP, with the API's sentence at a bad value", async () => {
    const shop = await addProject(stage.pool, east);
    await stage.pool.query("update projects set framework_id = 4 where id = $1", [shop]);
    await page.goto(settings(shop));
    await button("Change PHP").click();
    await dialog().getByRole("textbox", { name: "Workers" }).fill("0");
    await button("Change PHP", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "Workers" }).first().waitFor();
    await dialog().getByRole("textbox", { name: "Workers" }).fill("30");
    await dialog().getByRole("textbox", { name: "Memory of a request" }).fill("512");
    await dialog().getByRole("textbox", { name: "Extensions" }).fill("imagick, yaml");
    await button("Change PHP", dialog()).click();
    await page.getByText("imagick, yaml").waitFor();
    const read = await stage.as("alice")("GET /api/v1/projects/{id}/php", { params: { id: shop } });
    assert.ok(read.ok);
    const { max_workers, memory_limit_mb, extensions } = read.body.data;
    assert.deepEqual([max_workers, memory_limit_mb, extensions], [30, 512, ["imagick", "yaml"]]);
  });

  it("protect the site with a password that is shown nowhere", async () => {
    await button("Protect site").click();
    await dialog().getByLabel("User name").fill("a:b");
    await dialog().getByRole("textbox", { name: "Password" }).fill("open sesame");
    await button("Protect site", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "User name" }).first().waitFor();
    await dialog().getByLabel("User name").fill("guest");
    await button("Protect site", dialog()).click();
    await page.getByText("Visitors sign in as guest.").waitFor();
    assert.equal(await page.getByText("open sesame").count(), 0);
    await button("Remove protection").click();
    await button("Remove protection", dialog()).click();
    await page.getByText("Everyone can visit the site.", { exact: true }).waitFor();
  });

  it("move it: a server of those that fit, what happens, the DNS records, and the move itself", async () => {
    await button("Move project").click();
    const searched = page.waitForResponse(/\/servers\?.*q=e/);
    await dialog().getByRole("combobox", { name: "Server" }).fill("e");
    await searched;
    await page.getByRole("option", { name: "west" }).waitFor();
    assert.equal(await page.getByRole("option").count(), 1);
    await page.getByRole("option", { name: "west" }).click();
    await dialog().getByText("would be moved to west").waitFor();
    await button("Move project", dialog()).click();
    await dialog()
      .getByLabel(/^DNS record of shop-/)
      .waitFor();
    await dialog().getByRole("link", { name: "Follow the move" }).click();
    await page.waitForURL(/\/deployments\/\d+$/);
    await page.goto(settings());
    await reach(page.getByRole("button", { name: "Move project", disabled: true }));
    await page.getByRole("tooltip").getByText("A deployment or move of the project is queued or running").waitFor();
  });

  it("are read by a viewer, and fit on a phone", async () => {
    const victor = await stage.signIn("victor", settings(), { viewport: { width: 360, height: 740 } });
    await victor.getByRole("textbox", { name: "Largest upload" }).waitFor();
    assert.ok(await victor.getByRole("textbox", { name: "Largest upload" }).isDisabled());
    for (const name of ["Move project", "Protect site"]) assert.equal(await button(name, victor).count(), 0);
    assert.equal(await victor.evaluate(() => document.documentElement.scrollWidth), 360);
  });
});

describe("the load balancer of a project", () => {
  it("is chosen with the servers behind it, which show their state, and is left", async () => {
    await addProvisioned(stage, { name: "balancer-1", server_type: 4 });
    const other = await addProject(stage.pool, east);
    await deployed(stage, other, east);
    await page.goto(settings(other));
    await button("Put behind load balancer").click();
    await dialog()
      .getByRole("button", { name: /Load balancer/ })
      .click();
    await page.getByRole("option", { name: "balancer-1" }).click();
    await dialog().getByRole("combobox", { name: "Servers" }).fill("wes");
    await page.getByRole("option", { name: "west" }).click();
    await page.keyboard.press("Tab");
    await button("Put behind load balancer", dialog()).click();
    const nodes = page.getByRole("table", { name: "Servers behind the load balancer" });
    await nodes.getByRole("row", { name: /west/ }).locator('[data-state="installing"]').waitFor();
    await button("Take out of load balancer").click();
    await button("Take out of load balancer", dialog()).click();
    await button("Put behind load balancer").waitFor();
  });
});
