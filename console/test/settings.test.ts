import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { row, sql } from "../../src/db/sql.ts";
import { addProject, addProvisioned } from "../../src/features/servers/tests/support.ts";
import { startGitHosts } from "../../test/git-hosts/all.ts";
import { emailOf, openStage, type Person, type Stage } from "./stage.ts";

let stage: Stage;
let serverId: number;
let gitHosts: Awaited<ReturnType<typeof startGitHosts>>;
before(async () => {
  gitHosts = await startGitHosts();
  stage = await openStage(gitHosts.settings);
  serverId = await addProvisioned(stage, { name: "web-1" });
  for (const name of ["Shop", "Blog"]) {
    await stage.pool.query("update projects set name = $2 where id = $1", [
      await addProject(stage.pool, serverId),
      name,
    ]);
  }
});
after(async () => {
  await stage?.close();
  await gitHosts?.close();
});

const open = (person: Person, tab = "", options = {}): Promise<Page> =>
  stage.signIn(person, `/o/${stage.cast.organizationId}/settings${tab}`, options);
const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog").or(page.getByRole("alertdialog"));

describe("the organization", () => {
  it("is renamed, also on pages of others", async () => {
    const [page, other] = [await open("alice"), await open("adam")];
    assert.equal(await other.getByRole("textbox", { name: "Name" }).inputValue(), "Acme");
    await page.getByRole("textbox", { name: "Name" }).fill("Acme Works");
    await button(page, "Save").click();
    await page.getByText("was renamed").first().waitFor();
    await other.waitForFunction(
      () => document.querySelector<HTMLInputElement>("input[name=name]")?.value === "Acme Works",
    );
    await page.getByRole("textbox", { name: "Name" }).fill("Acme");
    await button(page, "Save").click();
    await other.waitForFunction(() => document.querySelector<HTMLInputElement>("input[name=name]")?.value === "Acme");
  });

  it("says why its last Owner cannot leave, and shows what the plan allows", async () => {
    const page = await open("alice");
    await page.getByText("Monitors of each type").waitFor();
    const leave = page.getByRole("button", { name: "Leave organization", disabled: true });
    await leave.waitFor();
    await leave.focus();
    await page.getByRole("tooltip").getByText("last Owner").waitFor();
  });

  it("can only be read by a viewer, who can leave", async () => {
    const page = await open("victor", "", { viewport: { width: 360, height: 740 } });
    await button(page, "Leave organization").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Name" }).count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await button(page, "Leave organization").click();
    await button(dialog(page), "Leave organization").click();
    await page.getByRole("heading", { name: "Create an organization" }).waitFor();
    const membership = sql`select 1 from memberships m join users u on u.id = m.user_id
      where u.email = ${emailOf("victor")} and m.organization_id = ${stage.cast.organizationId}`;
    assert.equal(await row(stage.pool, membership), undefined);
  });
});

describe("members", () => {
  const members = (page: Page) => page.getByRole("table", { name: "Members" });
  const act = async (page: Page, name: string, action: string) => {
    await button(page, `Actions of ${name}`).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  it("are invited to chosen servers, with a preview by names, and the invitation is revoked", async () => {
    const page = await open("alice", "/members");
    await button(page, "Invite member").click();
    const form = dialog(page);
    await form.getByLabel("Email").fill("nora@example.com");
    await form
      .locator("label")
      .filter({ hasText: /^Viewer/ })
      .click();
    await form.getByText("Only chosen servers and projects").click();
    await form.getByText("reaches no server and no project").waitFor();
    await form.getByRole("combobox", { name: "Servers" }).fill("web");
    await page.getByRole("option", { name: "web-1" }).click();
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await form.getByText("Reaches 2 projects").getByText("Blog").waitFor();
    await button(form, "Invite member").click();
    const link = await form.getByText("/invitations/lsi_").textContent();
    await button(form, "Done").click();
    const invited = page.getByRole("table", { name: "Invitations" }).getByRole("row", { name: /nora@example.com/ });
    await invited.getByText("Only 1 server").waitFor();
    const guest = await stage.visit(link?.replace(stage.url, "") ?? "");
    await guest.getByText("Only 1 server and 2 projects").waitFor();
    await button(page, "Revoke invitation of nora@example.com").click();
    await button(dialog(page), "Revoke invitation").click();
    await invited.waitFor({ state: "detached" });
  });

  it("get another role and reach, and are removed", async () => {
    const page = await open("alice", "/members");
    await act(page, "Bob", "Change role and reach");
    await dialog(page)
      .locator("label")
      .filter({ hasText: /^Viewer/ })
      .click();
    await dialog(page).getByText("Only chosen servers and projects").click();
    await dialog(page).getByRole("combobox", { name: "Projects" }).fill("shop");
    await page.getByRole("option", { name: "Shop" }).click();
    await dialog(page).getByText("Reaches 1 project").waitFor();
    await button(dialog(page), "Change member").click();
    const bob = members(page).getByRole("row", { name: /bob@example.com/ });
    await bob.getByText("Only 1 project").waitFor();
    await bob.getByText("Viewer").waitFor();
    const bobs = await open("bob", "/members");
    await members(bobs).waitFor();
    assert.equal(await button(bobs, "Invite member").count(), 0);
    await act(page, "Bob", "Remove member");
    await button(dialog(page), "Remove member").click();
    await bob.waitFor({ state: "detached" });
  });

  it("that an account may not decide about say so", async () => {
    const page = await open("adam", "/members", { viewport: { width: 360, height: 740 } });
    await button(page, "Actions of Alice").click();
    await page.getByText("Only an Owner can decide who is an Owner.").first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  });

  it("change on the page of another without a reload", async () => {
    const page = await open("alice", "/members");
    await members(page).waitFor();
    const id = stage.cast.organizationId;
    const body = { email: "lena@example.com", role: "Viewer" as const };
    assert.ok((await stage.as("adam")("POST /api/v1/organizations/{id}/invitations", { params: { id }, body })).ok);
    await page.getByRole("table", { name: "Invitations" }).getByText("lena@example.com").waitFor();
  });
});

describe("tokens", () => {
  it("are created with permissions by area, are shown once, and are revoked", async () => {
    const page = await open("adam", "/tokens");
    await button(page, "Create token").click();
    const form = dialog(page);
    await form.getByLabel("Name").fill("Deploy from CI");
    await button(form, "Create token").and(page.locator("[aria-disabled=true]")).waitFor();
    await form.getByRole("group", { name: "Monitors" }).locator("label").first().click();
    await form.getByText("deployment:create", { exact: true }).click();
    await button(form, "Create token").click();
    const value = await form.locator("code").filter({ hasText: /^lsh_/ }).textContent();
    await button(form, "Done").click();
    await form.waitFor({ state: "detached" });
    const { organizationId } = stage.cast;
    const stored = await row(
      stage.pool,
      sql`select permissions, organization_id, is_bound from tokens order by id desc limit 1`,
    );
    assert.deepEqual(stored, {
      permissions: ["monitor:read", "monitor:manage", "deployment:create"],
      organization_id: organizationId,
      is_bound: true,
    });
    const read = () => fetch(`${stage.url}/api/v1/monitors`, { headers: { authorization: `Bearer ${value}` } });
    assert.equal((await read()).status, 200);
    assert.equal(await page.getByText(value ?? "").count(), 0);
    const created = page.getByRole("row", { name: /Deploy from CI/ });
    await button(page, "Revoke token Deploy from CI").click();
    await button(dialog(page), "Revoke token").click();
    await created.waitFor({ state: "detached" });
    assert.equal((await read()).status, 401);
  });

  it("of members are listed and revoked by Owners, and by no one else", async () => {
    const id = stage.cast.organizationId;
    const body = { name: "Adam's laptop", permissions: ["project:read"] as const, organization_id: id };
    assert.ok((await stage.as("adam")("POST /api/v1/me/tokens", { body })).ok);
    const page = await open("alice", "/tokens", { viewport: { width: 360, height: 740 } });
    const all = page.getByRole("table", { name: "Tokens of the organization" });
    await all.getByRole("row", { name: /Adam's laptop/ }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await button(page, "Revoke token Adam's laptop").click();
    await button(dialog(page), "Revoke token").click();
    await all.getByRole("row", { name: /Adam's laptop/ }).waitFor({ state: "detached" });
    const admins = await open("adam", "/tokens");
    await admins.getByRole("heading", { name: "Your tokens" }).waitFor();
    assert.equal(await admins.getByRole("heading", { name: "Tokens of the organization" }).count(), 0);
  });
});

describe("git hosts", () => {
  it("are connected by a token that the host takes, and disconnected", async () => {
    const page = await open("alice", "/git-hosts");
    await page.getByText("No git host is connected yet").waitFor();
    await button(page, "Connect git host").click();
    const form = dialog(page);
    await form.getByLabel("Name").fill("Acme");
    await form.getByRole("textbox", { name: "Token" }).fill("wrong");
    await button(form, "Connect git host").click();
    await form.getByText("GitHub refused the token").waitFor();
    await form.getByRole("textbox", { name: "Token" }).fill(gitHosts.git_host_a.token);
    await button(form, "Connect git host").click();
    const account = page.getByRole("row", { name: /Acme/ });
    await account.getByText(gitHosts.git_host_a.account).waitFor();
    await button(page, "Disconnect Acme").click();
    await button(dialog(page), "Disconnect git host").click();
    await page.getByText("No git host is connected yet").waitFor();
  });
});
