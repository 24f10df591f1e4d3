import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Page } from "playwright-core";
import { addServer } from "../../src/features/servers/tests/support.ts";
import { call } from "../../src/http/tests/support.ts";
import { openStage, type Stage } from "./stage.ts";

// Two tabs of one browser, which share the stream of events and nothing else.

let stage: Stage;
let nordlicht: number;
let acmeTab: Page;
let nordlichtTab: Page;

before(async () => {
  stage = await openStage();
  const made = await stage.as("alice")("POST /api/v1/organizations", { body: { name: "Nordlicht" } });
  assert.ok(made.ok);
  nordlicht = made.body.data.id;
  await addServer(stage, { name: "acme-1" });
  await addToNordlicht("nordlicht-1");
  acmeTab = await stage.signIn("alice", address(stage.cast.organizationId));
  nordlichtTab = await acmeTab.context().newPage();
  await nordlichtTab.goto(address(nordlicht));
});
after(() => stage?.close());

const address = (organization: number) => `/o/${organization}/servers`;

async function addToNordlicht(name: string): Promise<void> {
  const reply = await call(stage.app, "POST /api/v1/servers", {
    token: stage.cast.alice,
    headers: { "x-organization": String(nordlicht) },
    body: { name, server_os: "debian_12", public_ip: `10.9.0.${name.at(-1)}` },
  });
  assert.equal(reply.status, 201, reply.text);
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const shown = (page: Page) => page.locator("[data-row]").getByText(/-\d$/).allTextContents();

it("show each its own records, live", async () => {
  await row(acmeTab, "acme-1").waitFor();
  await row(nordlichtTab, "nordlicht-1").waitFor();
  await addServer(stage, { name: "acme-2" });
  await addToNordlicht("nordlicht-2");
  await row(acmeTab, "acme-2").waitFor();
  await row(nordlichtTab, "nordlicht-2").waitFor();
  assert.deepEqual((await shown(acmeTab)).sort(), ["acme-1", "acme-2"]);
  assert.deepEqual((await shown(nordlichtTab)).sort(), ["nordlicht-1", "nordlicht-2"]);
});

it("write each to its own", async () => {
  for (const [page, name, ip] of [
    [acmeTab, "acme-3", "10.9.1.1"],
    [nordlichtTab, "nordlicht-3", "10.9.1.2"],
  ] as const) {
    await page.getByRole("link", { name: "Connect server" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("textbox", { name: "Public IP" }).fill(ip);
  }
  for (const page of [acmeTab, nordlichtTab]) {
    await page.getByRole("button", { name: "Connect server" }).click();
    await page.waitForURL(/\/servers\/\d+\/setup$/);
  }
  const { rows } = await stage.pool.query<{ name: string; organization_id: number }>(
    "select name, organization_id from servers where name ~ '-3$' order by name",
  );
  assert.deepEqual(
    rows.map(({ name, organization_id }) => [name, Number(organization_id)]),
    [
      ["acme-3", stage.cast.organizationId],
      ["nordlicht-3", nordlicht],
    ],
  );
});

it("switched to the other and back, a tab shows nothing of the one that it left", async () => {
  const goTo = async (name: string) => {
    await acmeTab.getByRole("navigation", { name: "Organization" }).getByRole("button").click();
    await acmeTab.getByRole("menuitem", { name, exact: true }).click();
    await acmeTab.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Servers" }).click();
  };
  await goTo("Nordlicht");
  await row(acmeTab, "nordlicht-3").waitFor();
  assert.deepEqual((await shown(acmeTab)).sort(), ["nordlicht-1", "nordlicht-2", "nordlicht-3"]);
  await addToNordlicht("nordlicht-4");
  await row(acmeTab, "nordlicht-4").waitFor();
  await goTo("Acme");
  await row(acmeTab, "acme-3").waitFor();
  await addServer(stage, { name: "acme-4" });
  await row(acmeTab, "acme-4").waitFor();
  assert.deepEqual((await shown(acmeTab)).sort(), ["acme-1", "acme-2", "acme-3", "acme-4"]);
});
