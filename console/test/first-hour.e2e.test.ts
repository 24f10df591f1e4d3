import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, it, type TestContext } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { downServer, execOn, type SandboxServer, upServer } from "../../sandbox/sandbox.ts";
import { waitFor } from "../../stage/api-client.ts";
import { bridgeAddress, provisionedImage, removeDirectory, startGitFor, startProcess } from "../../stage/fixture.ts";
import type { GitServer } from "../../stage/git-server.ts";
import { environmentOf, startAuthority } from "../../stage/pebble.ts";
import { visit } from "../../stage/projects.ts";
import { shownCertificate } from "../../stage/secure-visitors.ts";
import { lengthy } from "../../stage/support.ts";
import { dialectA } from "../../test/git-hosts/git-host-a.ts";
import { GitHost } from "../../test/git-hosts/host.ts";
import { repositoriesIn, startGitSsh } from "../../test/git-ssh.ts";
import { openBrowser } from "./browser.ts";

// What a stranger does in the first hour, in a browser alone: from the link that `up` prints to a live project with a second
// member. The server is a real one; the git host and the certificate authority are stand-ins.

const password = "correct horse battery";
const domain = "shop.example.test";
const added = "www.shop.example.test";

const endings: (() => Promise<unknown>)[] = [];
let browser: Browser;
let page: Page;
let server: SandboxServer;
let git: GitServer;
let host: GitHost;
let url: string;
let setupAddress: string;
let home: string;
let hasFailed = false;
const problems: string[] = [];

before(async () => {
  const directory = await mkdtemp(join(tmpdir(), "longshore-first-hour-"));
  endings.push(() => removeDirectory(directory));
  const name = `t${process.pid}-hour`;
  endings.push(() => downServer(name));
  server = await upServer({ name, image: await provisionedImage() });
  const authority = await startAuthority({ directory: join(directory, "authority") });
  endings.push(authority.close);
  await authority.pointAll(server.address);
  host = await new GitHost(dialectA).listen();
  endings.push(() => host.close());
  await startRepository(join(directory, "git"));
  const dataDirectory = join(directory, "data");
  const env = {
    ...environmentOf(authority),
    LONGSHORE_GIT_HOST_A_API_URL: host.apiUrl,
    LONGSHORE_RATE_LIMIT: "1000000",
  };
  const platform = await startProcess({ dataDirectory, env });
  endings.push(platform.stop);
  url = platform.url;
  setupAddress = await waitFor("the link to set it up", () => printedLink(platform.logFile), { timeoutMs: 60_000 });
  browser = await openBrowser();
  endings.push(() => browser.close());
  page = await openPage();
}, lengthy);

after(async () => {
  for (const end of endings.reverse()) await end();
  assert.deepEqual(problems, []);
});

const printedLink = async (logFile: string): Promise<string | undefined> =>
  /http:\/\/\S+\/setup#\w{32}/.exec(await readFile(logFile, "utf8"))?.[0];

/** A private repository, which the git host shows and the server fetches over SSH. */
async function startRepository(root: string): Promise<void> {
  git = await startGitFor(server, root);
  endings.push(git.close);
  const ssh = await startGitSsh({
    host: bridgeAddress(server),
    repositoryOf: repositoriesIn(root),
    keysOf: (path) => host.repositories.get(path)?.keys.map(({ key }) => key) ?? [],
  });
  endings.push(ssh.close);
  await git.createRepository("shop", { files: { "index.html": "version 1\n", "build.sh": "echo built\n" } });
  const { files } = host.addRepository("acme/shop", { sshUrl: ssh.urlOf("acme/shop") });
  files.set("index.html", "version 1\n");
}

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  context.setDefaultTimeout(60_000);
  context.on("weberror", (error) => problems.push(String(error.error().stack)));
  context.on("response", (response) => {
    if (response.status() >= 500)
      problems.push(`${response.request().method()} ${response.url()} ${response.status()}`);
  });
  return context.newPage();
}

const button = (name: string, at: Page | Locator = page) => at.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });
const field = (name: string, at: Page | Locator = page) => at.getByRole("textbox", { name, exact: true });
const option = (name: string | RegExp) => page.getByRole("option", { name }).first();
const goTo = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();

/** Each step begins where the one before ended. */
function step(name: string, take: (t: TestContext) => Promise<void>): void {
  it(name, lengthy, async (t) => {
    assert.ok(!hasFailed, "an earlier step failed");
    hasFailed = true;
    await take(t);
    hasFailed = false;
  });
}

/** What visitors of the project get, over TLS once it has a certificate. */
async function served(): Promise<string> {
  const { status, body } = await visit({ address: server.address, host: domain });
  return (status === 301 ? await securely() : body).trim();
}

async function securely(): Promise<string> {
  const to = { host: server.address, servername: domain, headers: { Host: domain }, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    get({ ...to, agent: false }, (response) => text(response).then(resolve, reject)).on("error", reject);
  });
}

/** Waits for the end of the deployment whose page is open. */
async function ended(state: "success" | "failed"): Promise<void> {
  await page.waitForURL(/\/deployments\/\d+$/);
  await page.locator(`h1 ~ [data-state="${state}"]`).waitFor();
}

step("sets the installation up with the link of the terminal", async () => {
  await page.goto(setupAddress);
  await field("Name").fill("Ada");
  await field("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await field("Organization").fill("Analytical Engines");
  await button("Continue").click();
  await page.waitForURL(/\/o\/\d+$/);
  home = new URL(page.url()).pathname;
  await page.getByRole("heading", { name: "First steps" }).waitFor();
});

step("connects a server with the command that the page shows, and watches its setup", async () => {
  await link("Connect server").first().click();
  await field("Name").fill("web-1");
  await field("Public IP").fill(server.address);
  await page.getByRole("button", { name: /Operating system/ }).click();
  await option("Debian 12").click();
  await button("Connect server").click();
  await page.waitForURL(/\/servers\/\d+\/setup$/);
  const command = await page.getByRole("main").locator("pre").first().textContent();
  const { exitCode, stderr } = await execOn(server.name, ["bash", "-c", command ?? ""]);
  assert.equal(exitCode, 0, stderr);
  await page.locator('h1 ~ [data-state="ready"]').waitFor({ timeout: 900_000 });
  await page.locator('[data-state="completed"]').first().waitFor();
});

step("connects the account of a git host", async () => {
  await page.goto(`${home}/settings/git-hosts`);
  await button("Connect git host").click();
  const dialog = page.getByRole("dialog");
  await field("Name", dialog).fill("Acme");
  await dialog.getByLabel("Token", { exact: true }).fill(host.token);
  await button("Connect git host", dialog).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText(host.account).first().waitFor();
});

step("deploys a private repository of it", async () => {
  await goTo("Projects");
  await link("New project").first().click();
  await page.getByRole("button", { name: /Account/ }).click();
  await option(/Acme/).click();
  await page.getByRole("combobox", { name: "Repository" }).fill("sho");
  await option(/acme\/shop/).click();
  await button("Continue").click();
  await page.getByRole("heading", { name: "Build" }).waitFor();
  await field("Build command").fill("bash build.sh");
  await field("Domain").fill(domain);
  await page.getByText(`${domain} is available.`).waitFor();
  await button("Deploy").click();
  await ended("success");
  assert.equal(await served(), "version 1");
});

step("sees why a deployment failed, mends it, and rolls back", async (t) => {
  await git.commit("shop", { files: { "index.html": "version 2\n", "build.sh": "echo no such module >&2; exit 3\n" } });
  await page.getByRole("main").getByRole("link", { name: "shop", exact: true }).first().click();
  await button("Deploy").click();
  const pressedAt = performance.now();
  await page.waitForURL(/\/deployments\/\d+$/);
  await page.locator("[data-line]").first().waitFor();
  t.diagnostic(`from Deploy to the first line of the log: ${Math.round(performance.now() - pressedAt)} ms`);
  await ended("failed");
  await page.locator("[data-line]", { hasText: "no such module" }).waitFor();
  assert.equal(await served(), "version 1");

  await git.commit("shop", { files: { "build.sh": "echo built\n" } });
  await page.getByRole("main").getByRole("link", { name: "shop", exact: true }).first().click();
  await button("Deploy").click();
  await ended("success");
  assert.equal(await served(), "version 2");

  await page.getByRole("main").getByRole("link", { name: "shop", exact: true }).first().click();
  await button("More actions").click();
  await page.getByRole("menuitem", { name: "Roll back" }).click();
  await page
    .getByRole("dialog")
    .getByText(/would become live/)
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await page.getByRole("heading", { level: 1, name: /^Rollback/ }).waitFor();
  await ended("success");
  assert.equal(await served(), "version 1");
});

step("adds a domain with its certificate", async () => {
  await page.getByRole("main").getByRole("link", { name: "shop", exact: true }).first().click();
  await page
    .getByRole("navigation", { name: "Project" })
    .getByRole("link", { name: /Domains/ })
    .click();
  await button("Add domain").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Domain" }).fill(added);
  await dialog.getByText(`${added} is available.`).waitFor();
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await page.locator(`[data-domain="${added}"]`).waitFor();
  const certificate = page.locator("section", { has: page.getByRole("heading", { name: "Certificate" }) });
  const request = certificate.getByRole("button", { name: "Request certificate" });
  const active = certificate.locator('[data-state="active"]');
  await request.or(active).first().waitFor();
  if (await request.isVisible()) await request.click();
  await active.waitFor();
  await certificate.getByText(added).waitFor();
  assert.match((await shownCertificate(server.address, added))?.subjectAltName ?? "", new RegExp(added));
});

step("invites a member who sees one project", async () => {
  await page.goto(`${home}/settings/members`);
  await button("Invite member").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill("grace@example.com");
  await dialog.getByText("Only chosen servers and projects").click();
  await dialog.getByRole("combobox", { name: "Projects" }).fill("sho");
  await option(/shop/).click();
  await dialog.getByRole("list", { name: "Chosen projects" }).getByText("shop").waitFor();
  await dialog.getByRole("button", { name: "Invite member" }).click();
  const invitation = await dialog.getByText(/\/invitations\//).textContent();

  const grace = await openPage();
  await grace.goto(invitation?.trim() ?? "");
  await field("Name", grace).fill("Grace");
  await grace.getByLabel("Password", { exact: true }).fill(password);
  await button("Accept invitation", grace).click();
  await grace.waitForURL(`**${home}`);
  await grace.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await grace.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  await grace.getByRole("row", { name: /shop/ }).waitFor();
  await grace.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Servers" }).click();
  await grace.getByRole("heading", { level: 1, name: "Servers" }).waitFor();
  await grace.goto(`${home}/settings/members`);
  await grace.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(await button("Invite member", grace).count(), 0);
});
