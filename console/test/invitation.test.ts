import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProject, addProvisioned } from "../../src/features/servers/tests/support.ts";
import { emailOf, openStage, password, type Stage } from "./stage.ts";

let stage: Stage;
let serverId: number;
before(async () => {
  stage = await openStage();
  serverId = await addProvisioned(stage);
  await addProject(stage.pool, serverId);
  await addProject(stage.pool, serverId);
});
after(() => stage?.close());
beforeEach(() => stage.pool.query("delete from sent_invitations"));

async function invite(email: string, more: object = {}): Promise<string> {
  const id = stage.cast.organizationId;
  const body = { email, role: "Member" as const, ...more };
  const answer = await stage.as("alice")("POST /api/v1/organizations/{id}/invitations", { params: { id }, body });
  assert.ok(answer.ok, JSON.stringify(answer.body));
  return `/invitations/${answer.body.data.token}`;
}

const organization = () => `${stage.url}/o/${stage.cast.organizationId}`;
const accept = (page: Page) => page.getByRole("button", { name: "Accept invitation" }).click();

describe("an invitation", () => {
  it("shows what it is for, and makes an account that is signed in", async () => {
    const page = await stage.visit(await invite("nora@example.com"));
    await page.getByRole("heading", { name: "Join Acme" }).waitFor();
    await page.getByText("Alice invites you").waitFor();
    await page.getByText("1 server and 2 projects").waitFor();
    await page.getByLabel("Name").fill("Nora");
    await page.getByLabel("Password").fill(password);
    await accept(page);
    await page.waitForURL(organization());
  });

  it("shows that it reaches only some projects", async () => {
    const page = await stage.visit(
      await invite("rita@example.com", { restriction: { server_ids: [serverId], project_ids: [] } }),
    );
    await page.getByText("Only 1 server and 2 projects").waitFor();
  });

  it("has the account of the address sign in, and brings it back", async () => {
    const path = await invite(emailOf("charlie"));
    const page = await stage.visit(path);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(emailOf("charlie"));
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**${path}`);
    await accept(page);
    await page.waitForURL(organization());
  });

  it("has a link to pass on where no mail is sent", async () => {
    const page = await stage.signIn("alice", `/o/${stage.cast.organizationId}/settings/members`);
    await page.getByRole("button", { name: "Invite member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("cannot send mail").waitFor();
    await dialog.getByLabel("Email").fill("vera@example.com");
    await dialog.getByRole("button", { name: "Invite member" }).click();
    await dialog.getByText("pass the link on yourself").waitFor();
  });

  it("asks another account to sign out first", async () => {
    const path = await invite("someone@example.com");
    const page = await stage.signIn("victor", path);
    await page.getByText(`signed in as ${emailOf("victor")}`).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Name").waitFor();
    assert.ok(page.url().endsWith(path));
  });

  it("is no more once it has expired, was used, or never was", async () => {
    const expired = await invite("late@example.com");
    await stage.pool.query(
      "update invitations set expires_at = now() - interval '1 minute' where email = 'late@example.com'",
    );
    const page = await stage.visit(expired);
    const sentence = await page.getByText("There is no such invitation").textContent();
    await page.goto("/invitations/lsi_0123456789abcdefghij0123456789abcdefghij");
    assert.equal(await page.getByText("There is no such invitation").textContent(), sentence);
    assert.equal(await page.getByRole("button", { name: "Accept invitation" }).count(), 0);
  });

  it("escapes the names that people gave", async () => {
    const name = "<img src=x onerror=alert(1)> \u202eemcA";
    await stage.pool.query("update organizations set name = $1 where id = $2", [name, stage.cast.organizationId]);
    const page = await stage.visit(await invite("eve@example.com"));
    await page.getByRole("heading", { name: "<img src=x" }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
    await stage.pool.query("update organizations set name = 'Acme' where id = $1", [stage.cast.organizationId]);
  });
});
