import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import {
  connect,
  order,
  orderBody,
  startWorker,
  untilOrders,
  withCloud,
} from "../../src/features/cloud-servers/tests/support.ts";
import { addProvisioned } from "../../src/features/servers/tests/support.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// The machine of an ordered server: what it costs, another type, snapshots. The provider is in memory.

let stage: Stage;
let page: Page;
let serverId: number;
before(async () => {
  stage = await openStage();
  withCloud(stage);
  const worker = await startWorker(stage.ctx);
  const providerId = await connect(stage);
  serverId = (await order(stage, orderBody(providerId, { name: "web-1" }))).body.server_id;
  await untilOrders(stage, ["active"]);
  // What follows stays under way.
  await worker.stop();
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());

const settings = (id = serverId) => `/o/${stage.cast.organizationId}/servers/${id}/settings`;
const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog").or(page.getByRole("alertdialog"));
const section = (name: string) => page.getByRole("region", { name, exact: true });
const snapshots = () => page.getByRole("table", { name: "Snapshots" });
const setSnapshot = (state: string, error: string | null = null) =>
  stage.pool.query(
    "update server_snapshots set state = $1, error = $2, image_id = '9', ready_at = case when $1 = 'ready' then now() end",
    [state, error],
  );

describe("the machine of an ordered server", () => {
  it("shows its type and what it costs", async () => {
    await page.goto(settings());
    await section("Machine").getByText("small").waitFor();
    await section("Machine").getByText("€5.95").waitFor();
    await section("Machine").getByText("Stand-in, Our cloud").waitFor();
  });

  it("has snapshots that are taken", async () => {
    await page.goto(settings());
    await page.getByText("No snapshots of this server").waitFor();
    await button("Take snapshot").click();
    await dialog().getByLabel("Name").fill("golden");
    await button("Take snapshot", dialog()).click();
    await snapshots().locator('[data-state="creating"]').waitFor();
    await reach(page.getByRole("button", { name: "Delete snapshot golden", disabled: true }));
    await page.getByRole("tooltip").getByText("The snapshot golden is being made.").waitFor();
    assert.equal(await snapshots().getByRole("link", { name: "Order server from golden" }).count(), 0);
    await setSnapshot("failed", "The provider has no room for images.");
    await snapshots().getByText("The provider has no room for images.").waitFor();
    await setSnapshot("ready");
    await snapshots().locator('[data-state="ready"]').waitFor();
  });

  it("has snapshots from which a server is ordered, with their system", async () => {
    await page.goto(settings());
    await snapshots().getByRole("link", { name: "Order server from golden" }).click();
    await page.getByRole("heading", { level: 1, name: "New server" }).waitFor();
    await page.getByRole("button", { name: /golden Snapshot/ }).waitFor();
    await page.getByRole("radio", { name: /small/ }).check({ force: true });
    assert.equal(
      await page.getByRole("button", { name: /Operating system/ }).count(),
      0,
      "It is that of the snapshot.",
    );
    const sent = page.waitForRequest((request) => request.method() === "POST" && /servers$/.test(request.url()));
    await page.getByText("Total a month").waitFor();
    await button("Order server").click();
    const { snapshot_id: snapshot, server_os: system } = (await sent).postDataJSON();
    assert.deepEqual([typeof snapshot, system], ["number", "ubuntu_24_04"]);
    await page.getByRole("heading", { level: 1, name: "New server" }).waitFor({ state: "detached" });
    await page.goto(`/o/${stage.cast.organizationId}/servers/new?snapshot=999`);
    await page.getByText("The snapshot is not ready, or it was deleted").waitFor();
  });

  it("has snapshots that can be deleted", async () => {
    await page.goto(settings());
    await button("Delete snapshot golden").click();
    await button("Delete snapshot", dialog()).click();
    await snapshots().locator('[data-state="deleting"]').waitFor();
  });

  it("becomes another type, with prices and the reason for what cannot be chosen", async () => {
    await page.goto(settings());
    await button("Resize server").click();
    await dialog().getByText("The server has this type.").waitFor();
    await dialog().getByText("€23.80").waitFor();
    await dialog().getByText("1 type cannot be ordered").waitFor();
    await dialog().getByRole("radio", { name: /big/ }).check({ force: true });
    await button("Resize server", dialog()).click();
    await dialog().waitFor({ state: "detached" });
    await reach(page.getByRole("button", { name: "Resize server", disabled: true }));
    await page.getByRole("tooltip").waitFor();
  });

  it("is deleted by a question, whose button alone is solid red", async () => {
    await page.goto(settings(await addProvisioned(stage, { name: "own-2" })));
    const backgroundOf = (at: Locator) => at.evaluate((element) => getComputedStyle(element).backgroundColor);
    const dangers = section("Dangerous actions").getByRole("button");
    await dangers.first().waitFor();
    const quiet = await Promise.all((await dangers.all()).map(backgroundOf));
    assert.equal(new Set(quiet).size, 1);
    await button("Delete server").click();
    await dialog().getByLabel("Type own-2 to confirm").fill("own-2");
    assert.notEqual(await backgroundOf(button("Delete server", dialog())), quiet[0]);
    await button("Delete server", dialog()).click();
    await page.getByRole("heading", { level: 1, name: "Servers" }).waitFor();
  });

  it("is not there for a server of one's own, and offers a viewer nothing to press", async () => {
    await page.goto(settings(await addProvisioned(stage, { name: "own-1" })));
    await section("SSH access").waitFor();
    assert.equal(await section("Machine").count(), 0);
    const victor = await stage.signIn("victor", settings(), { viewport: { width: 360, height: 740 } });
    await victor.getByText("small").first().waitFor();
    assert.equal(await button("Resize server", victor).count(), 0);
    assert.equal(await button("Take snapshot", victor).count(), 0);
    assert.equal(await victor.evaluate(() => document.documentElement.scrollWidth), 360);
  });
});
