import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { Worker } from "../../src/engine/queue/worker.ts";
import { mailedLinkJobs } from "../../src/features/sign-in/mailed-links/jobs.ts";
import { openSmtpStandIn, type SmtpStandIn } from "../../src/providers/notify/tests/stand-ins.ts";
import { emailOf, openStage, type Stage } from "./stage.ts";

let mail: SmtpStandIn;
let stage: Stage;
let worker: Worker;
before(async () => {
  mail = await openSmtpStandIn();
  stage = await openStage({ smtpUrl: mail.url });
  worker = new Worker(stage.ctx.queue, mailedLinkJobs(stage.ctx), stage.ctx.log);
  await worker.start(stage.ctx.listener);
});
after(async () => {
  await worker?.stop();
  await stage?.close();
  await mail?.close();
});
beforeEach(() => stage.pool.query("delete from sign_in_attempts"));

/** The link to a page in the newest mail to an address. Its host is that of the installation, which has another port here. */
async function linkTo(path: string, address: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const { to, source } = await mail.mail(count);
    const text = source.replace(/=\r\n/g, "").replaceAll("=3D", "=");
    const [, token] = new RegExp(`${path}#([\\w-]+)`).exec(text) ?? [];
    if (to.includes(address) && token) return `${path}#${token}`;
  }
}

async function signIn(page: Page, address: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(address);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("a new password by mail", () => {
  const request = async (address: string): Promise<string> => {
    const page = await stage.visit("/forgot-password");
    await page.getByLabel("Email").fill(address);
    await page.getByRole("button", { name: "Send link" }).click();
    return (await page.getByRole("alert").textContent()) ?? "";
  };

  it("is answered alike for an address with an account and without one", async () => {
    assert.equal(await request(emailOf("victor")), await request("unknown@example.com"));
  });

  it("is chosen by the link, once, and ends the sessions", async () => {
    const signedIn = await stage.signIn("bob", "/account");
    await signedIn.getByRole("button", { name: "Save" }).waitFor();
    await request(emailOf("bob"));
    const link = await linkTo("/reset-password", emailOf("bob"));
    const page = await stage.visit(link);
    await page.getByLabel("New password").fill("battery staple horse");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, emailOf("bob"), "battery staple horse");
    await page.waitForURL(/\/o\/\d+$/);

    await signedIn.getByRole("button", { name: "Save" }).click();
    await signedIn.waitForURL("**/sign-in?**");

    const again = await stage.visit(link);
    await again.getByLabel("New password").fill("another horse battery");
    await again.getByRole("button", { name: "Change password" }).click();
    await again.getByText("was used or replaced").waitFor();
    await again.getByRole("link", { name: "Send another link" }).waitFor();
  });

  it("needs the whole link", async () => {
    const page = await stage.visit("/reset-password");
    await page.getByText("not complete").waitFor();
  });
});

describe("another address", () => {
  it("changes when the mailed link is confirmed, and not when it is only opened", async () => {
    const page = await stage.signIn("victor", "/account");
    await page.getByLabel("Email").fill("victor.new@example.com");
    await page.getByRole("button", { name: "Change email" }).click();
    await page.getByRole("alert").getByText("mailed to the new address").waitFor();
    const link = await linkTo("/confirm-email", "victor.new@example.com");

    const opened = await stage.visit(link);
    const confirm = opened.getByRole("button", { name: "Confirm address" });
    await confirm.waitFor();
    await page.reload();
    assert.equal(await page.getByLabel("Email").inputValue(), emailOf("victor"));
    await confirm.click();
    await opened.getByRole("link", { name: "Continue" }).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel("Email").inputValue(), "victor.new@example.com");

    const again = await stage.visit(link);
    await again.getByRole("button", { name: "Confirm address" }).click();
    await again.getByText("was used or replaced").waitFor();
  });
});
