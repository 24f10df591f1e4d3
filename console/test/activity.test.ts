import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { addServer } from "../../src/features/servers/tests/support.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let address: string;
before(async () => {
  stage = await openStage();
  address = `/o/${stage.cast.organizationId}/activity`;
});
after(() => stage.close());

const table = (page: Page) => page.getByRole("table", { name: "Activity" });

test("an entry shows who did what on which record, and arrives without a reload", async () => {
  const page = await stage.signIn("alice", address);
  await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  const id = await addServer(stage, { name: "db-7" });
  const row = table(page).getByRole("row", { name: /db-7/ });
  await row.getByText("alice@example.com").waitFor({ timeout: 3000 });
  assert.equal(
    await row.getByRole("link", { name: "db-7" }).getAttribute("href"),
    `/o/${stage.cast.organizationId}/servers/${id}`,
  );
  await page.context().close();
});

test("its keys lead to what was changed", async () => {
  const id = await addServer(stage, { name: "db-by-key" });
  const page = await stage.signIn("alice", `${address}?q=server`);
  await table(page).getByRole("link", { name: "db-by-key" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/servers/${id}`);
  await page.context().close();
});

test("only who may read the audit log sees where changes came from, and can export them", async () => {
  await addServer(stage, { name: "db-8" });
  const owner = await stage.signIn("alice", `${address}?q=server`);
  await table(owner).getByRole("columnheader", { name: "From" }).waitFor();
  const download = owner.waitForEvent("download");
  await owner.getByRole("link", { name: "Export CSV" }).click();
  assert.equal(await (await download).failure(), null);
  await owner.context().close();
  const viewer = await stage.signIn("victor", address);
  await table(viewer).getByRole("columnheader", { name: "Who" }).waitFor();
  assert.equal(await table(viewer).getByRole("columnheader", { name: "From" }).count(), 0);
  assert.equal(await viewer.getByRole("link", { name: /Export/ }).count(), 0);
  await viewer.context().close();
});

test("the filter is in the address, and a page leads to older entries", async () => {
  for (let n = 0; n < 52; n += 1) await addServer(stage, { name: `many-${n}` });
  const page = await stage.signIn("alice", address);
  await table(page).getByRole("link", { name: "many-51" }).waitFor();
  await page.getByRole("link", { name: "Earlier" }).click();
  await table(page).getByRole("link", { name: "many-0", exact: true }).waitFor();
  await page.getByRole("link", { name: "Later" }).click();
  await page.getByRole("searchbox", { name: "Filter activity" }).fill("nothing like it");
  await page.getByText("Nothing matches these filters").waitFor();
  assert.match(page.url(), /\?q=nothing/);
  await page.context().close();
});
