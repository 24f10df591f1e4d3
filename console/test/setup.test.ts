import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { row, sql } from "../../src/db/sql.ts";
import { makeSetupCode } from "../../src/features/sign-in/setup/actions.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let code: string;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());
beforeEach(async () => {
  await stage.pool.query("truncate users, organizations cascade");
  code = (await makeSetupCode(stage)) ?? "";
});

async function fill(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByLabel("Organization").fill("Analytical Engines");
}

const proceed = (page: Page) => page.getByRole("button", { name: "Continue" }).click();
const accounts = async () =>
  (await row<{ count: number }>(stage.pool, sql`select count(*)::int as count from users`))?.count;

describe("the set-up of a new installation", () => {
  it("makes the first account with the code of the address, and signs it in", async () => {
    const page = await stage.visit(`/setup#${code}`);
    assert.equal(await page.getByLabel("Code").count(), 0, "the address has it");
    await fill(page);
    await proceed(page);
    await page.waitForURL(/\/o\/\d+$/);
    await page.goto("/account");
    assert.equal(await page.getByLabel("Name").inputValue(), "Ada");
  });

  it("is where the start page leads, which asks for the code", async () => {
    const page = await stage.visit("/");
    await page.waitForURL("**/setup");
    await page.getByLabel("Code").fill(code);
    await fill(page);
    await proceed(page);
    await page.waitForURL(/\/o\/\d+$/);
  });

  it("shows a wrong code at its field, and keeps what was typed", async () => {
    const page = await stage.visit("/setup#0123456789abcdefghijABCDEFGHIJ01");
    await fill(page);
    await proceed(page);
    await page.getByText("not the newest code").waitFor();
    assert.equal(await page.getByLabel("Organization").inputValue(), "Analytical Engines");
    assert.equal(await accounts(), 0);
    await page.getByLabel("Code").fill(code);
    await proceed(page);
    await page.waitForURL(/\/o\/\d+$/);
  });

  it("refuses the person who comes second, also with the same code", async () => {
    const [first, second] = [await stage.visit(`/setup#${code}`), await stage.visit(`/setup#${code}`)];
    await fill(first);
    await fill(second);
    await proceed(first);
    await first.waitForURL(/\/o\/\d+$/);
    await proceed(second);
    await second.getByRole("alert").getByText("is set up").waitFor();
    await second.reload();
    await second.getByRole("heading", { name: "This installation is set up" }).waitFor();
    assert.equal(await accounts(), 1);
  });

  it("says that passkeys need a domain name where the page has an IP address", async () => {
    const page = await stage.visit("/setup", { baseURL: stage.url.replace("localhost", "127.0.0.1") });
    await page.getByText("Passkeys need a domain name").waitFor();
    const named = await stage.visit("/setup");
    await named.getByRole("button", { name: "Continue" }).waitFor();
    assert.equal(await named.getByText("Passkeys need").count(), 0);
  });
});
