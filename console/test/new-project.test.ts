import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProvisioned } from "../../src/features/deployments/tests/support.ts";
import { addServer } from "../../src/features/servers/tests/support.ts";
import { type GitHosts, startGitHosts } from "../../test/git-hosts/all.ts";
import { openStage, type Stage } from "./stage.ts";

// From a repository to the deployment that installs it. Repositories of a connected account are read from its host.

let stage: Stage;
let hosts: GitHosts;
let server: number;
let page: Page;

before(async () => {
  hosts = await startGitHosts();
  stage = await openStage({ ...hosts.settings, publicUrl: "https://panel.example.com", answerWithinSeconds: "1" });
  server = await addProvisioned(stage, { name: "web-1" });
  const { files } = hosts.git_host_a.addRepository("acme/shop");
  files.set("apps/web/package.json", JSON.stringify({ dependencies: { nuxt: "4.0.0" }, engines: { node: "22" } }));
  files.set("apps/web/package-lock.json", "{}");
  hosts.git_host_a.addRepository("acme/other");
  const connected = await stage.as("alice")("POST /api/v1/source-providers", {
    body: { name: "Acme's account", provider_type: "git_host_a", credentials: { token: hosts.git_host_a.token } },
  });
  assert.equal(connected.status, 201);
  page = await stage.signIn("alice", "/account");
});
after(async () => {
  await stage?.close();
  await hosts?.close();
});
beforeEach(async () => {
  await page.goto("/account");
  await page.evaluate(() => sessionStorage.clear());
});

let domains = 0;
const newDomain = () => `new-${++domains}.example.com`;

const open = (at = page) => at.goto(`/o/${stage.cast.organizationId}/projects/new`);
const button = (name: string, at = page) => at.getByRole("button", { name, exact: true });
const field = (label: string, at = page) => at.getByRole("textbox", { name: label, exact: true });
const combo = (label: string) => page.getByRole("combobox", { name: label, exact: true });
const option = (name: string | RegExp) => page.getByRole("option", { name });

async function chooseShop(): Promise<void> {
  await open();
  await button("Account", page)
    .or(page.getByRole("button", { name: /Account/ }))
    .first()
    .click();
  await option(/Acme's account/).click();
  await combo("Repository").fill("sho");
  await option(/acme\/shop/).click();
  await button("Continue").click();
  await page.getByRole("heading", { name: "Build" }).waitFor();
}

async function skipDetection(repository = "https://git.example.com/acme/site.git"): Promise<void> {
  await open();
  await field("Repository").fill(repository);
  await field("Branch").fill("main");
  await button("Continue").click();
  await button("Choose the framework myself").click();
}

async function chooseFramework(name: string): Promise<void> {
  await page.getByRole("button", { name: /Framework/ }).click();
  await option(name).click();
}

describe("a new project", () => {
  it("of a connected account is detected, deployed, and shown while it is", async () => {
    await chooseShop();
    assert.equal(await field("Directory").inputValue(), "apps/web");
    await page.getByText("package-lock.json is its lock file", { exact: false }).waitFor();
    assert.equal(await field("Name").inputValue(), "shop");
    const domain = newDomain();
    await field("Domain").fill(domain);
    await page.getByText(`${domain} is available.`).waitFor();
    await page.getByLabel("Copy value").waitFor();
    await page.getByLabel("Environment variables").fill("SECRET=do-not-store\n");
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), /do-not-store/);
    await button("Deploy").click();
    await page.waitForURL(/\/deployments\/\d+$/);
    await page.locator('[data-state="queued"]').first().waitFor();
    const listed = await stage.as("alice")("GET /api/v1/projects", { query: { q: domain } });
    assert.ok(listed.ok);
    const [created] = listed.body.data as { id: number; framework_id: number; repository_type: string }[];
    assert.deepEqual([created?.framework_id, created?.repository_type], [6, "git_host_a"]);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });

  it("of a connected account is detected while no server is ready", async () => {
    const status = (to: number) =>
      stage.pool.query("update servers set server_status = $2 where id = $1", [server, to]);
    await status(1);
    await chooseShop();
    assert.equal(await field("Directory").inputValue(), "apps/web");
    await status(10);
  });

  it("whose repository cannot be read is set up by hand", async () => {
    await skipDetection();
    await chooseFramework("Static files");
    await field("Domain").fill(newDomain());
    await button("Deploy").click();
    await page.waitForURL(/\/deployments\/\d+$/);
  });

  it("keeps what was typed over a reload of the tab", async () => {
    await skipDetection();
    await field("Health path").fill("/up");
    await page.reload();
    await page.getByText("https://git.example.com/acme/site.git").waitFor();
    assert.equal(await field("Health path").inputValue(), "/up");
    await button("Change source").click();
    assert.equal(await field("Branch").inputValue(), "main");
  });

  it("has the API's sentence at the field, also at one of the source", async () => {
    await skipDetection();
    await chooseFramework("Static files");
    await field("Domain").fill("no domain");
    await button("Deploy").click();
    await page.locator("[data-invalid]").filter({ hasText: "Domain" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "domain");
    await button("Change source").click();
    await field("Repository").fill("not a repository");
    await button("Continue").click();
    await page.locator("[data-invalid]").filter({ hasText: "Repository" }).waitFor();
    await button("Choose the framework myself").click();
    await field("Domain").fill(newDomain());
    await button("Deploy").click();
    await page.locator("[data-invalid]").filter({ hasText: "Repository" }).waitFor();
  });

  it("names what a server has free, and why another one accepts nothing", async () => {
    const waiting = await addProvisioned(stage, { name: "web-2" });
    await stage.pool.query("update servers set server_status = 1 where id = $1", [waiting]);
    const usage = {
      memory: { total_bytes: 4e9, available_bytes: 3e9 },
      disk: { total_bytes: 4e10, available_bytes: 3e10 },
    };
    await stage.pool.query(
      `insert into server_readings (server_id, seen_at, usage, measured_at) values ($1, now(), $2, now())
       on conflict (server_id) do update set usage = excluded.usage, measured_at = now()`,
      [server, { load: null, ...usage }],
    );
    await skipDetection();
    await page.getByText(/of memory and .* of disk free/).waitFor();
    assert.ok(await page.getByRole("radio", { name: /web-2/ }).isDisabled());
    assert.ok(await page.getByRole("radio", { name: /web-1/ }).isChecked());
    await stage.pool.query("update servers set server_status = 10 where id = $1", [waiting]);
  });

  it("is made by the keyboard alone", async () => {
    await open();
    await field("Repository").focus();
    await page.keyboard.type("https://git.example.com/acme/keys.git");
    await page.keyboard.press("Tab");
    await page.keyboard.type("main");
    await page.keyboard.press("Enter");
    await button("Choose the framework myself").waitFor();
    await button("Choose the framework myself").press("Enter");
    await page.waitForFunction(
      () =>
        /Framework/.test(document.activeElement?.getAttribute("aria-labelledby") ?? "") ||
        document.activeElement?.getAttribute("aria-haspopup") === "listbox",
    );
    await page.keyboard.press("Enter");
    await page.keyboard.type("Static files");
    await page.keyboard.press("Enter");
    await field("Domain").focus();
    await page.keyboard.type(newDomain());
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/deployments\/\d+$/);
  });

  it("needs a server first, and a role that may", async () => {
    const charlie = await stage.signIn("charlie");
    await charlie.waitForURL(/\/o\/\d+/);
    await charlie.goto(`${new URL(charlie.url()).pathname}/projects/new`);
    const link = charlie.getByRole("main").getByRole("link", { name: "Connect server" });
    assert.match((await link.getAttribute("href")) ?? "", /\/servers\/new$/);
    const added = await addServer(stage, { name: "web-9" }, stage.cast.charlie);
    await charlie.reload();
    const named = charlie.getByRole("main").getByRole("link", { name: "web-9" });
    assert.match((await named.getAttribute("href")) ?? "", new RegExp(`/servers/${added}$`));
    assert.equal(await link.count(), 0);
    const victor = await stage.signIn("victor", `/o/${stage.cast.organizationId}/projects/new`);
    await victor.getByText("Your role cannot create projects").waitFor();
  });

  it("fits on a phone", async () => {
    const phone = await stage.signIn("alice", "/account", { viewport: { width: 360, height: 740 } });
    await open(phone);
    await field("Repository", phone).fill("https://git.example.com/a-team-with-a-long-name/a-repository-with-one.git");
    await field("Branch", phone).fill("main");
    await button("Continue", phone).click();
    await button("Choose the framework myself", phone).click();
    await phone.getByRole("heading", { name: "Build" }).waitFor();
    const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
  });
});
