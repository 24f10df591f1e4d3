import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { totp } from "../../src/features/sign-in/tests/totp.ts";
import { emailOf, openStage, type Person, password, type Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage?.close());
beforeEach(() => stage.pool.query("delete from sign_in_attempts"));

async function signIn(page: Page, person: Person | "stranger", given = password): Promise<void> {
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  await page.getByLabel("Email").fill(person === "stranger" ? "unknown@example.com" : emailOf(person));
  await page.getByLabel("Password").fill(given);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const overview = () => `${stage.url}/o/${stage.cast.organizationId}`;
const refusal = async (page: Page): Promise<string> => (await page.getByRole("alert").textContent()) ?? "";
const proceed = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

describe("signing in with a password", () => {
  it("leads to the organization", async () => {
    const page = await stage.visit("/");
    await page.waitForURL("**/sign-in");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await page.title(), "Sign in · Longshore");
    await signIn(page, "alice");
    await page.waitForURL(overview());
  });

  it("refuses a wrong password and an unknown address with the same sentence", async () => {
    const page = await stage.visit("/sign-in");
    await signIn(page, "alice", "wrong horse battery");
    const ofAccount = await refusal(page);
    assert.ok(ofAccount.length > 10, ofAccount);
    assert.equal(await page.getByLabel("Email").inputValue(), emailOf("alice"));
    await page.reload();
    await signIn(page, "stranger");
    assert.equal(await refusal(page), ofAccount);
  });

  it("needs no mouse", async () => {
    const page = await stage.visit("/sign-in");
    await page.locator("input[name=email]:focus").waitFor();
    await page.keyboard.type(emailOf("bob"));
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.waitForURL(overview());
  });

  it("is over where one is signed in already", async () => {
    const page = await stage.signIn("alice", "/sign-in?next=/account");
    await page.waitForURL("**/account");
  });
});

describe("a new password without a mail server", () => {
  it("is set by the operator: the page shows the command, and asks for no address", async () => {
    const page = await stage.visit("/sign-in");
    await page.getByRole("link", { name: "Choose a new password" }).click();
    await page.getByText(/admin user --email you@example\.com --password-stdin$/).waitFor();
    assert.equal(await page.getByLabel("Email").count(), 0);
    await page.getByRole("link", { name: "Back to sign in" }).click();
    await page.getByLabel("Email").waitFor();
  });
});

describe("where one gets after signing in", () => {
  it("is the page that was asked for, with its place", async () => {
    const page = await stage.visit("/sign-in?next=%2Faccount%3Fa%3D1%23b");
    await signIn(page, "alice");
    await page.waitForURL(`${stage.url}/account?a=1#b`);
  });

  for (const next of ["//evil.test/", "javascript:alert(1)", "/\\evil.test"]) {
    it(`is never ${JSON.stringify(next)}`, async () => {
      const page = await stage.visit(`/sign-in?next=${encodeURIComponent(next)}`);
      await signIn(page, "alice");
      await page.waitForURL(overview());
    });
  }

  it("is the page where the session ended", async () => {
    const page = await stage.signIn("alice", "/account");
    await page.getByLabel("Name").fill("Alice Liddell");
    await stage.pool.query("delete from auth_sessions");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/sign-in?next=%2Faccount");
    await signIn(page, "alice");
    await page.waitForURL("**/account");
    await page.goBack();
    assert.ok(!page.url().includes("sign-in"), "the page to sign in is not in the history");
  });
});

describe("a second factor", () => {
  /** Sets it up on the page of the account. */
  async function setUp(page: Page): Promise<{ secret: string; backupCodes: string[] }> {
    await page.getByRole("button", { name: "Set up second factor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill(password);
    await proceed(page);
    await dialog.getByRole("img", { name: "QR code" }).waitFor();
    const secret = (await dialog.locator("pre").textContent()) ?? "";
    await dialog.getByLabel("Code", { exact: true }).fill(totp(secret));
    await proceed(page);
    await dialog.getByRole("button", { name: "I have kept them" }).waitFor();
    const backupCodes = ((await dialog.locator("pre").textContent()) ?? "").split("\n");
    await dialog.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "Remove second factor" }).waitFor();
    return { secret, backupCodes };
  }

  it("is asked for after the password: a code of the app, or a backup code once", async () => {
    const page = await stage.signIn("adam", "/account");
    const { secret, backupCodes } = await setUp(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await signIn(page, "adam");
    await page.getByLabel("Code").fill("000000");
    await proceed(page);
    assert.match(await refusal(page), /code/i);
    await page.getByLabel("Code").fill(totp(secret, 1));
    await proceed(page);
    await page.waitForURL(overview());

    const enterBackupCode = async (): Promise<Page> => {
      const other = await stage.visit("/sign-in");
      await signIn(other, "adam");
      await other.getByRole("button", { name: "Use a backup code" }).click();
      await other.getByLabel("Code").fill(backupCodes[0] ?? "");
      await proceed(other);
      return other;
    };
    await (await enterBackupCode()).waitForURL(overview());
    assert.match(await refusal(await enterBackupCode()), /code/i);
  });

  it("asks for the password again when too much time has passed", async () => {
    const page = await stage.signIn("victor", "/account");
    await setUp(page);
    const other = await stage.visit("/sign-in");
    await signIn(other, "victor");
    await other.getByLabel("Code").fill("000000");
    await other.context().clearCookies();
    await proceed(other);
    await other.getByText("too long since the password").waitFor();
    await proceed(other);
    await other.getByLabel("Password").waitFor();
  });
});

describe("a passkey", () => {
  it("signs in without a password, once it was added", async () => {
    const page = await stage.signIn("bob", "/account");
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("WebAuthn.enable");
    await devTools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByText("No passkeys yet").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Bob's laptop");
    await proceed(page);
    await page.getByRole("cell", { name: "Bob's laptop", exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(overview());
  });

  it("is not offered where the browser has none", async () => {
    const page = await stage.visit("/sign-in", { baseURL: stage.url.replace("localhost", "127.0.0.1") });
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Use a passkey" }).count(), 0);
  });
});
