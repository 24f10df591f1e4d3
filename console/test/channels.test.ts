import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Worker } from "../../src/engine/queue/worker.ts";
import { adminMember } from "../../src/features/accounts/admin.ts";
import { notificationJobs } from "../../src/features/notifications/jobs.ts";
import { addProject, addProvisioned, created, webhook } from "../../src/features/notifications/tests/support.ts";
import { type HttpStandIn, openHttpStandIn } from "../../src/providers/notify/tests/stand-ins.ts";
import { emailOf, openStage, reach, readAgain, type Stage } from "./stage.ts";

// Notification channels, with a real receiver and a worker that sends.

let stage: Stage;
let page: Page;
let receiver: HttpStandIn;
let worker: Worker;
before(async () => {
  receiver = await openHttpStandIn();
  stage = await openStage({ notifyAllow: "127.0.0.1" });
  worker = new Worker(stage.ctx.queue, notificationJobs(stage.ctx), stage.ctx.log);
  await worker.start(stage.ctx.listener);
  page = await stage.signIn("alice", "/account");
});
after(async () => {
  await worker?.stop();
  await stage?.close();
  await receiver?.close();
});
beforeEach(async () => {
  await page.unrouteAll();
  await stage.pool.query("delete from notification_channels");
});

const address = (id: number | "" = "") => `/o/${stage.cast.organizationId}/settings/channels${id && `/${id}`}`;
const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });
const dialog = (of = page) => of.getByRole("dialog").or(of.getByRole("alertdialog"));
const channel = (name: string, of = page) => of.locator(`[data-channel="${name}"]`);
const act = async (name: string, action: string) => {
  await button(`Actions of ${name}`).click();
  await page.getByRole("menuitem", { name: action }).click();
};
/** A channel that fails at its first attempt. */
const failing = () => created(stage, webhook(`${receiver.url}/never`, { name: "Pager", on: ["monitor.down"] }));

describe("notification channels", () => {
  it("are created, with a secret that is shown once", async () => {
    await page.goto(address());
    await page.getByText("No notification channels yet").waitFor();
    await button("Create channel").click();
    await dialog().getByRole("button", { name: /Type/ }).click();
    await page.getByRole("option", { name: "Webhook" }).click();
    await dialog().getByLabel("Name").fill("Operations");
    await dialog().getByLabel("Address").fill("ftp://somewhere");
    await button("Create channel", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "Address" }).first().waitFor();
    await dialog().getByLabel("Address").fill(`${receiver.url}/hooks/verysecret`);
    await dialog().getByText("Deployment failed").click();
    await button("Create channel", dialog()).click();
    const secret = await dialog()
      .locator("code")
      .filter({ hasText: /^whsec_/ })
      .textContent();
    await button("Done", dialog()).click();
    await channel("Operations").getByText("Server unreachable, Monitor down").waitFor();
    assert.equal(await page.getByText("verysecret").count(), 0);
    await act("Operations", "Replace secret");
    await button("Replace secret", dialog()).click();
    const renewed = await dialog()
      .locator("code")
      .filter({ hasText: /^whsec_/ })
      .textContent();
    assert.notEqual(renewed, secret);
    await button("Done", dialog()).click();
    assert.equal(await page.getByText(renewed ?? "").count(), 0);
  });

  it("are tested, and show the other side's answer or why there is none", async () => {
    await created(stage, webhook(`${receiver.url}/hook`, { name: "Hook" }));
    await page.goto(address());
    await button("Test Hook").click();
    await channel("Hook").getByText("The test message was delivered: 200").waitFor();
    await channel("Hook").locator('[data-state="delivered"]').waitFor();
    receiver.answerWith({ status: 410 });
    await button("Test Hook").click();
    await channel("Hook")
      .getByText(/was not delivered.*410/)
      .first()
      .waitFor();
    await channel("Hook").locator('[data-state="failed"]').waitFor();
    await channel("Hook").getByRole("link", { name: "Hook" }).click();
    const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
    await rows.locator('[data-state="failed"]').waitFor();
    await rows.locator('[data-state="delivered"]').waitFor();
  });

  it("that cannot be tested say why before the press", async () => {
    await created(stage, { ...webhook("ops@example.com", { name: "Mail" }), type: "email" });
    await page.goto(address());
    await reach(page.getByRole("button", { name: "Test Mail", disabled: true }));
    await page.getByRole("tooltip").getByText("cannot send mail").waitFor();
    await channel("Mail").getByRole("paragraph").filter({ hasText: "cannot send mail" }).waitFor();
    await button("Create channel").click();
    await dialog().getByText("cannot send mail").waitFor();
    await dialog().getByLabel("Name").fill("Operations");
    await dialog().getByLabel("Addresses").fill("someone");
    await button("Create channel", dialog()).click();
    await dialog().getByText("“Addresses” must be email addresses; someone is not one.").waitFor();
    await dialog().getByRole("button", { name: /Type/ }).click();
    await page.getByRole("option", { name: "Webhook" }).click();
    await dialog().getByText("cannot send mail").waitFor({ state: "detached" });
  });

  it("are changed without their secrets, switched off, and deleted", async () => {
    const { id } = await failing();
    await page.goto(address());
    await act("Pager", "Edit channel");
    await dialog().getByLabel("Name").fill("On call");
    await button("Save", dialog()).click();
    await channel("On call").waitFor();
    await act("On call", "Switch off");
    await channel("On call").locator('[data-state="inactive"]').waitFor();
    const { rows } = await stage.pool.query("select target from notification_channels where id = $1", [id]);
    assert.equal(JSON.parse(stage.ctx.secrets.decrypt(rows[0].target)).url, `${receiver.url}/never`);
    await act("On call", "Delete channel");
    await button("Delete channel", dialog()).click();
    await page.getByText("No notification channels yet").waitFor();
  });

  it("follow events, and show their error", async () => {
    await page.goto(address());
    await page.getByText("No notification channels yet").waitFor();
    await failing();
    await channel("Pager").waitFor();
    await page.route(/notification-channels\?/, (route) =>
      route.fulfill({ status: 500, json: { message: "It broke." } }),
    );
    await page.reload();
    await page.getByText("The channels could not be read.").waitFor();
    await readAgain(page);
    await channel("Pager").waitFor();
  });

  it("of restricted members are for projects in reach", async () => {
    const shop = await addProject(stage.pool, await addProvisioned(stage));
    const membership = { email: emailOf("adam"), organization: String(stage.cast.organizationId), role: "Admin" };
    await adminMember(stage, { ...membership, projects: [shop] });
    const adam = await stage.signIn("adam", address());
    await button("Create channel", adam).click();
    await dialog(adam).getByText("does not reach the whole organization").waitFor();
    await dialog(adam).getByRole("combobox", { name: "Chosen projects" }).fill("sho");
    await adam.getByRole("option").first().click();
    await adam.keyboard.press("Tab");
    await dialog(adam).getByLabel("Name").fill("Shop");
    await dialog(adam).getByLabel("Addresses").fill("shop@example.com");
    await button("Create channel", dialog(adam)).click();
    await channel("Shop", adam).getByText("1 project").waitFor();
  });

  it("are read by a viewer, and fit on a phone", async () => {
    const { id } = await failing();
    const victor = await stage.signIn("victor", address(), { viewport: { width: 360, height: 740 } });
    await channel("Pager", victor).waitFor();
    assert.equal(await button("Create channel", victor).count(), 0);
    assert.equal(await button("Test Pager", victor).count(), 0);
    await victor.goto(address(id));
    await victor.getByText("Nothing was sent in the last 30 days").waitFor();
    assert.equal(await victor.evaluate(() => document.documentElement.scrollWidth), 360);
    await victor.goto(address(999_999));
    await victor.getByText("There is no such channel").waitFor();
  });
});
