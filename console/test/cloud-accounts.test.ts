import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { connect, order, orderBody, withCloud } from "../../src/features/cloud-servers/tests/support.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// Accounts at cloud providers, with a provider in memory. No worker runs: orders stay as the test puts them.

let stage: Stage;
let page: Page;
before(async () => {
  stage = await openStage();
  withCloud(stage);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(() => page.unrouteAll());

const address = () => `/o/${stage.cast.organizationId}/settings/providers`;
const button = (name: string, within: Page | Locator = page) => within.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog").or(page.getByRole("alertdialog"));
const account = (name: string, of = page) => of.locator(`[data-account="${name}"]`);
const orders = (of = page) => of.getByRole("table", { name: "Orders" });
const setOrder = (state: string, more = "", ...values: unknown[]) =>
  stage.pool.query(`update server_orders set state = '${state}', ended_at = now() ${more}`, values);

describe("cloud accounts", () => {
  it("are connected by credentials that the provider takes", async () => {
    await page.goto(address());
    await page.getByText("No cloud account is connected yet").waitFor();
    await button("Connect account").click();
    await dialog().getByLabel("Name").fill("Our cloud");
    await dialog().getByRole("textbox", { name: "API token" }).fill("bad-token");
    await button("Connect account", dialog()).click();
    await dialog().locator("[data-invalid]").getByText("does not accept the token").waitFor();
    await dialog().getByRole("textbox", { name: "API token" }).fill("good-token");
    await button("Connect account", dialog()).click();
    await account("Our cloud").getByText("acme").waitFor();
    await account("Our cloud").getByText("compared with the orders every hour").waitFor();
  });

  it("list what belongs to no server, and why it could not be compared", async () => {
    const { rows } = await stage.pool.query("select id from server_providers");
    await stage.pool.query(
      `insert into cloud_orphans (provider_id, kind, id, location, name, monthly_price_net, monthly_price_gross,
        price_currency) values ($1, 'server', '77', 'here', 'longshore-77', '5.00', '5.95', 'EUR')`,
      [rows[0].id],
    );
    await page.goto(address());
    await account("Our cloud").getByText("1 resource belongs to no server").waitFor();
    await account("Our cloud")
      .getByRole("row", { name: /longshore-77/ })
      .getByText("€5.95")
      .waitFor();
    await stage.pool.query("update server_providers set sweep_error = 'Stand-in asks to wait.'");
    await account("Our cloud").getByText("Stand-in asks to wait.").waitFor();
  });

  it("show orders with their state, and what to do about those that went wrong", async () => {
    const { rows } = await stage.pool.query("select id from server_providers");
    assert.equal((await order(stage, orderBody(rows[0].id, { name: "web-1" }))).status, 202);
    await page.goto(address());
    await orders().locator('[data-state="ordering"]').waitFor();
    await reach(page.getByRole("button", { name: "Disconnect Our cloud", disabled: true }));
    await page.getByRole("tooltip").getByText("being ordered with Our cloud").waitFor();
    await setOrder("failed", ", error = 'The place has no capacity.'");
    await orders().locator('[data-state="failed"]').waitFor();
    await orders().getByText("The place has no capacity.").waitFor();
    await orders().getByRole("link", { name: "Order it again" }).waitFor();
    const remaining = [{ kind: "volume", id: "vol-1", location: "here", reason: "It is attached." }];
    await setOrder("left", ", remaining = $1", JSON.stringify(remaining));
    await orders().getByText("It is attached.").waitFor();
  });

  it("that servers need are disconnected only when these become custom servers", async () => {
    await stage.pool.query(
      "update server_orders set state = 'active', ended_at = null, active_at = now(), user_data = null",
    );
    await page.goto(address());
    await button("Disconnect Our cloud").click();
    await dialog().getByText("1 server was ordered with it").first().waitFor();
    assert.equal(await button("Disconnect account", dialog()).getAttribute("aria-disabled"), "true");
    await dialog().getByText("Keep its servers as custom servers").click();
    await button("Disconnect account", dialog()).click();
    await page.getByText("No cloud account is connected yet").waitFor();
    await orders().locator('[data-state="released"]').waitFor();
  });

  it("show their error, are read by members who order, and fit on a phone", async () => {
    await connect(stage);
    await page.route(/server-orders/, (route) => route.fulfill({ status: 500, json: { message: "It broke." } }));
    await page.goto(address());
    await page.getByText("The orders could not be read.").waitFor();
    await account("Our cloud").waitFor();
    const phone = await stage.signIn("adam", address(), { viewport: { width: 360, height: 740 } });
    await account("Our cloud", phone).waitFor();
    await orders(phone).waitFor();
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 360);
    const victor = await stage.signIn("victor", `/o/${stage.cast.organizationId}/settings`);
    await victor.getByRole("link", { name: "Tokens" }).waitFor();
    assert.equal(await victor.getByRole("link", { name: "Cloud accounts" }).count(), 0);
  });
});
