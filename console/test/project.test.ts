import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import { addProject, addProvisioned, deployed } from "../../src/features/deployments/tests/support.ts";
import { openStage, type Stage } from "./stage.ts";

// A project and its tabs.

let stage: Stage;
let server: number;
let project: number;
let page: Page;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(async () => {
  project = await addProject(stage.pool, server);
  await page.unrouteAll();
});

const address = (tab = "", id = project) => `/o/${stage.cast.organizationId}/projects/${id}${tab && `/${tab}`}`;
const open = (tab = "") => page.goto(address(tab));
const button = (name: string, of = page) => of.getByRole("button", { name, exact: true });

describe("a project", () => {
  it("shows its state and what is live, and follows events", async () => {
    await deployed(stage, project, server, "succeeded", "3fa92b1".padEnd(40, "0"));
    await open();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    await page.locator('header [data-state="live"]').waitFor();
    await page.locator("header").getByText("3fa92b1").waitFor();
    assert.equal(await page.title(), "shop · Longshore");
    await deployed(stage, project, server, "failed");
    await page.locator('header [data-state="failed"]').waitFor();
  });

  it("shows what has changed while it was read for the first time", async () => {
    const alice = stage.as("alice");
    const params = { id: project };
    await alice("POST /api/v1/projects/{id}/pin", { params });
    const name = "Renamed while it was read";
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      await alice("PUT /api/v1/projects/{id}", { params, body: { name } });
      // Events have brought it to the list of pinned projects.
      await page.getByRole("navigation").getByRole("link", { name }).waitFor();
      await route.fulfill({ response });
    };
    await page.route(`**/api/v1/projects/${project}`, answerLate, { times: 1 });
    await open();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  });

  it("deploys the head of the branch with one press, and goes there", async () => {
    await open();
    await button("Deploy").click();
    await page.waitForURL(/\/deployments\/\d+$/);
    await page.locator('[data-state="queued"]').first().waitFor();
  });

  it("rolls back to a release that one chooses", async () => {
    await deployed(stage, project, server, "succeeded", "a".repeat(40));
    await deployed(stage, project, server, "succeeded", "b".repeat(40));
    await open();
    await button("More actions").click();
    await page.getByRole("menuitem", { name: "Roll back" }).click();
    await page.getByRole("dialog").getByText("aaaaaaa").waitFor();
    await button("Roll back", page.getByRole("dialog") as unknown as Page).click();
    await page.waitForURL(/\/deployments\/\d+$/);
  });

  it("shows why an action is refused before it is pressed", async () => {
    await open();
    await button("More actions").click();
    const restart = page.getByRole("menuitem", { name: "Restart" });
    await restart.getByText("Only Node projects have a process to recycle.").waitFor();
  });

  it("offers a viewer nothing to press, and a stranger nothing at all", async () => {
    const victor = await stage.signIn("victor", address());
    await victor.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    assert.equal(await button("Deploy", victor).count(), 0);
    const missing = await stage.signIn("alice", address("", 999_999));
    await missing.getByRole("heading", { level: 1, name: "There is no such project" }).waitFor();
    const asked: string[] = [];
    missing.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/") && pathname.includes("/999998")) asked.push(pathname);
    });
    for (const tab of ["", "domains", "environment", "jobs", "databases", "commands", "monitors"]) {
      asked.length = 0;
      await missing.goto(address(tab, 999_998));
      await missing.getByRole("heading", { level: 1, name: "There is no such project" }).waitFor();
      assert.deepEqual([...new Set(asked)], ["/api/v1/projects/999998"], `only the project is asked for at ${tab}`);
    }
  });

  it("fits on a phone, each of its tabs", async () => {
    await deployed(stage, project, server);
    const phone = await stage.signIn("alice", address(), { viewport: { width: 360, height: 740 } });
    for (const tab of ["", "deployments", "domains", "environment", "settings"]) {
      await phone.goto(address(tab));
      await phone.getByRole("heading", { level: 1, name: "shop" }).waitFor();
      await phone.getByRole("navigation", { name: "Project", exact: true }).locator("[aria-current=page]").waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${tab}: ${overflow} px too wide`);
    }
  });
});

describe("the domains of a project", () => {
  const added = () => page.getByRole("dialog").getByLabel("Domain");

  it("checks a name while one types, and shows the record that it needs", async () => {
    await open("domains");
    await button("Add domain").click();
    await added().fill(`shop-${project}.example.com`);
    await page.getByRole("dialog").getByText("belongs to").waitFor();
    await added().fill(`new-${project}.example.com`);
    await page.getByRole("dialog").getByText(`new-${project}.example.com is available.`).waitFor();
    await page.getByRole("dialog").getByLabel("Copy value").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
    await page.locator(`[data-domain="new-${project}.example.com"]`).waitFor();
    await page.locator(`[data-domain="new-${project}.example.com"]`).getByLabel("Copy value").waitFor();
  });

  it("makes another one primary, and removes the former", async () => {
    await stage.as("alice")("POST /api/v1/projects/{id}/domains", {
      params: { id: project },
      body: { domain: `b-${project}.example.com` },
    });
    const [former, next] = [`shop-${project}.example.com`, `b-${project}.example.com`];
    await open("domains");
    await button(`Actions of ${former}`).click();
    await page.getByText(`${former} is the primary domain and cannot be deleted`).waitFor();
    await page.keyboard.press("Escape");
    await button(`Actions of ${next}`).click();
    await page.getByRole("menuitem", { name: "Make primary" }).click();
    await page.locator(`[data-domain="${next}"]`).getByText("Primary").waitFor();
    await button(`Actions of ${former}`).click();
    await page.getByText(`${former} is the primary domain and cannot be deleted`).waitFor({ state: "detached" });
    await page.getByRole("menuitem", { name: "Remove domain" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove domain" }).click();
    await page.locator(`[data-domain="${former}"]`).waitFor({ state: "detached" });
  });
});

describe("the redirects of a project", () => {
  const params = () => ({ id: project });
  const dialog = () => page.getByRole("dialog");
  const field = (name: string) => dialog().getByRole("textbox", { name });
  const rows = () => page.getByRole("table", { name: "Redirects" }).locator("tbody tr");
  const row = (path: string) => rows().filter({ hasText: path });
  const replace = (...paths: string[]) => {
    const redirects = paths.map((from) => ({ from, to: "/new" }));
    return stage.as("alice")("PUT /api/v1/projects/{id}/redirects", { params: params(), body: { redirects } });
  };
  const stored = async () => {
    const { ok, body } = await stage.as("alice")("GET /api/v1/projects/{id}/redirects", { params: params() });
    return ok ? body.data.redirects.map(({ from, to, status }) => `${from} ${to} ${status}`) : [body.message];
  };
  const act = async (path: string, verb: string) => {
    await button(`Actions of ${path}`).click();
    await page.getByRole("menuitem", { name: verb }).click();
  };

  it("are added with what is wrong at its field, edited, moved and deleted", async () => {
    await open("domains");
    await button("Add redirect").click();
    await field("Path").fill("/old");
    await field("Target").fill('/new"; }');
    await dialog().getByRole("button", { name: "Add redirect" }).click();
    await dialog().getByText("has a character that no address has").waitFor();
    await field("Target").fill("/new");
    await dialog().getByRole("button", { name: "Add redirect" }).click();
    await row("/old").waitFor();
    await replace("/old", "/second");
    await row("/second").waitFor();
    await act("/second", "Move up");
    await rows().first().filter({ hasText: "/second" }).waitFor();
    await act("/old", "Edit redirect");
    await field("Target").fill("/newer");
    await dialog().getByRole("button", { name: "Save" }).click();
    await row("/newer").waitFor();
    await act("/second", "Delete redirect");
    await row("/second").waitFor({ state: "detached" });
    assert.deepEqual(await stored(), ["/old /newer 301"]);
  });

  it("do not overwrite what another changed in this moment", async () => {
    await replace("/mine");
    await open("domains");
    await button("Add redirect").click();
    await field("Path").fill("/added");
    await field("Target").fill("/there");
    // The other's change is stored before this one arrives, and not shown yet.
    const overtake = async (route: Route) => {
      await replace("/theirs");
      await route.continue();
    };
    await page.route(`**/api/v1/projects/${project}/redirects`, overtake, { times: 1 });
    await dialog().getByRole("button", { name: "Add redirect" }).click();
    await dialog().getByText("the project was changed elsewhere").waitFor();
    await row("/theirs").waitFor();
    await dialog().getByRole("button", { name: "Add redirect" }).click();
    await row("/added").waitFor();
    assert.deepEqual(await stored(), ["/theirs /new 301", "/added /there 301"]);
  });

  it("are imported, with the lines that were left out", async () => {
    await open("domains");
    await button("Import redirects").click();
    await field("Content").fill("/a /b\n/api/* https://api.example.com/:splat 200\n");
    await dialog().getByRole("button", { name: "Import redirects" }).click();
    await dialog().getByText("Line 2: Only redirects are imported").waitFor();
    await dialog().getByRole("button", { name: "Close" }).last().click();
    await row("/a").waitFor();
    assert.deepEqual(await stored(), ["/a /b 301"]);
  });
});

describe("the environment of a project", () => {
  const text = () => page.getByLabel("Environment variables").and(page.locator("textarea"));
  const change = (kind: string) => page.locator(`[data-change="${kind}"]`);

  it("shows what a text adds, changes and removes before it is saved, and never a value", async () => {
    const environment_variables = "KEEP=1\nOLD=2\nSAME_NAME=secret-before\n";
    await stage.as("alice")("PUT /api/v1/projects/{id}/environment-variables", {
      params: { id: project },
      body: { environment_variables },
    });
    await open("environment");
    await button("Replace all").click();
    await text().fill("KEEP=1\nSAME_NAME=secret-after\nNEW=secret-new\n");
    await change("added").getByText("NEW").waitFor();
    await change("changed").getByText("SAME_NAME").waitFor();
    await change("removed").getByText("OLD").waitFor();
    await button("Save").click();
    await page.getByRole("row").filter({ hasText: "NEW" }).getByText("Not live yet").waitFor();
    await page.getByRole("row").filter({ hasText: "NEW" }).getByText("Alice").waitFor();
    await text().waitFor({ state: "detached" });
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.textContent]),
    );
    assert.doesNotMatch(kept, /secret-/);
  });

  it("saves and deploys", async () => {
    await open("environment");
    await text().fill("A=1\n");
    await button("Save and deploy").click();
    await page.waitForURL(/\/deployments\/\d+$/);
  });

  it("compares again when someone else was first", async () => {
    await open("environment");
    await text().fill("MINE=1\n");
    await change("added").waitFor();
    await stage.as("bob")("PUT /api/v1/projects/{id}/environment-variables/{name}", {
      params: { id: project, name: "THEIRS" },
      body: { value: "2" },
    });
    await change("removed").getByText("THEIRS").waitFor();
    assert.equal(await text().inputValue(), "MINE=1\n");
  });
});

describe("the settings of a project, open twice", () => {
  const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
  const byBob = (body: object) => stage.as("bob")("PUT /api/v1/projects/{id}", { params: { id: project }, body });

  it("follow in clean fields, keep what was typed, and name who changed what", async () => {
    await open("settings");
    await field("Name").fill("My shop");
    await byBob({ health_path: "/up", notes: "Ask Bob first" });
    await page.getByText("bob@example.com changed").waitFor();
    await page.getByText("Notes and Health path").waitFor();
    assert.equal(await field("Health path").inputValue(), "/up");
    assert.equal(await field("Name").inputValue(), "My shop");
    await button("Save").click();
    await page.getByRole("heading", { level: 1, name: "My shop" }).waitFor();
    await page.getByText("Saved.").waitFor();
    const saved = await stage.as("alice")("GET /api/v1/projects/{id}", { params: { id: project } });
    assert.ok(saved.ok);
    assert.deepEqual([saved.body.name, saved.body.health_path], ["My shop", "/up"]);
  });

  it("save nothing over a change that they have not seen", async () => {
    await open("settings");
    await field("Name").fill("My shop");
    // The page gets the present record by nothing but the refusal.
    await page.route(new RegExp(`/api/v1/projects/${project}$`), (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    await byBob({ name: "Bob's shop" });
    await button("Save").click();
    await page.getByText("Not saved: the project was changed elsewhere.").waitFor();
    await page.getByText("What you typed in Name stays. Saving replaces what is there now.").waitFor();
    assert.equal(await field("Name").inputValue(), "My shop");
    await page.unrouteAll();
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
  });

  it("show the API's sentence at the field", async () => {
    await open("settings");
    await field("Memory limit").fill("much");
    await button("Save").click();
    await page.locator("[data-invalid]").filter({ hasText: "Memory limit" }).waitFor();
    assert.equal(await field("Memory limit").inputValue(), "much");
  });

  it("delete only after the name was typed, and say what is lost", async () => {
    await open("settings");
    await button("Delete project").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("1 domain").waitFor();
    await dialog.getByRole("textbox").fill("shop");
    await dialog.getByRole("button", { name: "Delete project" }).click();
    await page.waitForURL(/\/projects$/);
  });
});
