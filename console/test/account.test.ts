import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createClient } from "../../contract/client.ts";
import { row, sql } from "../../src/db/sql.ts";
import { openStage, password, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

describe("the account", () => {
  it("is renamed", async () => {
    const page = await stage.signIn("alice", "/account");
    await page.getByLabel("Name").fill("Alice Liddell");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.getByRole("button", { name: "Save" }).click();
    await saved;
    const { name } =
      (await row<{ name: string }>(stage.pool, sql`select name from users where email = 'alice@example.com'`)) ?? {};
    assert.equal(name, "Alice Liddell");
  });

  it("changes its password, for which the present one is asked, and signs out elsewhere", async () => {
    const [page, elsewhere] = [await stage.signIn("bob", "/account"), await stage.signIn("bob", "/account")];
    await elsewhere.getByRole("button", { name: "Save" }).waitFor();
    const change = async (current: string) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password").fill("battery staple horse");
      await page.getByRole("button", { name: "Change password" }).click();
    };
    await change("wrong horse battery");
    assert.match((await page.getByRole("alert").first().textContent()) ?? "", /password/i);
    await change(password);
    await page.getByText("The password was changed").waitFor();
    await elsewhere.getByRole("button", { name: "Save" }).click();
    await elsewhere.waitForURL("**/sign-in?**");
  });

  it("shows its sessions, and ends one", async () => {
    const [page, other] = [await stage.signIn("adam", "/account"), await stage.signIn("adam", "/account")];
    await other.getByRole("button", { name: "Save" }).waitFor();
    await page.reload();
    const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
    await rows.nth(2).waitFor();
    await page.getByRole("button", { name: "End session" }).click();
    await rows.nth(2).waitFor({ state: "detached" });
    await other.getByRole("button", { name: "Save" }).click();
    await other.waitForURL("**/sign-in?**");
  });

  it("needs a session", async () => {
    const page = await stage.visit("/account");
    await page.waitForURL("**/sign-in?next=%2Faccount");
  });

  it("fits a phone", async () => {
    const page = await stage.signIn("victor", "/account", { viewport: { width: 360, height: 740 } });
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 360, "nothing is wider than the screen");
  });
});

describe("an account in no organization", () => {
  it("creates one on the start page", async () => {
    const page = await stage.signIn("charlie", "/account");
    await stage.pool.query("delete from organizations where id = $1", [stage.cast.charlieOrganizationId]);
    await page.goto("/");
    await page.getByRole("heading", { name: "Create an organization" }).waitFor();
    await page.getByLabel("Name").fill("Chocolate");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL(/\/o\/\d+$/);
  });
});

describe("a program that waits for a token", () => {
  const ask = async () => {
    const answer = await createClient({ url: stage.url })("POST /api/v1/device-authorizations", {
      body: { client_name: "longshore on laptop", permissions: ["project:read", "deployment:create"] },
    });
    assert.ok(answer.ok);
    return answer.body.data;
  };
  const collect = (code: string) =>
    createClient({ url: stage.url })("POST /api/v1/device-authorizations/token", { body: { device_code: code } });

  it("gets one with the permissions that the person leaves it", async () => {
    const { device_code, user_code } = await ask();
    const page = await stage.visit(`/device#${user_code}`);
    await page.waitForURL("**/sign-in?**");
    assert.ok(!page.url().includes(user_code), "The code is in no address that is requested or kept.");
    await page.getByLabel("Email").fill("alice@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**/device#${user_code}`);
    assert.equal(await page.getByLabel("Code").inputValue(), user_code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("longshore on laptop").first().waitFor();
    assert.equal(await page.getByRole("checkbox", { name: "project:read" }).isChecked(), true);
    assert.equal(await page.getByRole("checkbox", { name: "server:create" }).isChecked(), false);
    await page.getByText("deployment:create", { exact: true }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("gets its token").waitFor();
    const answer = await collect(device_code);
    assert.ok(answer.ok && answer.body.data.token);
    const token = await row(stage.pool, sql`select permissions from tokens order by id desc limit 1`);
    assert.deepEqual(token, { permissions: ["project:read"] });
  });

  it("gets none without a permission", async () => {
    const { user_code } = await ask();
    const page = await stage.signIn("victor", `/device#${user_code}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("project:read", { exact: true }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("alert").getByText("permissions").waitFor();
  });

  it("is denied", async () => {
    const { device_code, user_code } = await ask();
    const page = await stage.signIn("victor", `/device#${user_code}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("was denied").waitFor();
    assert.equal((await collect(device_code)).status, 403);
  });

  it("is not found under another code", async () => {
    const page = await stage.signIn("victor", "/device");
    await page.getByLabel("Code").fill("BCDF-GHJK");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("program").waitFor();
  });
});
