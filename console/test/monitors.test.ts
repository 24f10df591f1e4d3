import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProject, addProvisioned } from "../../src/features/deployments/tests/support.ts";
import { addHeartbeat } from "../../src/features/monitors/heartbeats/tests/support.ts";
import { addMonitor } from "../../src/features/monitors/tests/support.ts";
import { openStage, readAgain, type Stage } from "./stage.ts";
import { addChecks, judge } from "./watched.ts";

// The list of monitors, a new one, an import, a monitor, and the monitors of a project. Nothing is checked: what checks store is
// written here.

let stage: Stage;
let server: number;
let project: number;
let page: Page;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web-1" });
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(async () => {
  await page.unrouteAll();
  project = await addProject(stage.pool, server);
});

const list = (search = "") => `/o/${stage.cast.organizationId}/monitors${search}`;
const ofProject = () => `/o/${stage.cast.organizationId}/projects/${project}/monitors`;
const button = (name: string, at: Pick<Page, "getByRole"> = page) => at.getByRole("button", { name, exact: true });
const named = (text: string, at = page) =>
  at.getByRole("grid", { name: "Monitors" }).locator("[data-row]").filter({ hasText: text });
const heading = (name: string, at = page) => at.getByRole("heading", { level: 1, name, exact: true });
const events = () => page.getByRole("list", { name: "Events" }).getByRole("listitem");

describe("the list of monitors", () => {
  it("is empty at first, and is reached by the keyboard", async () => {
    await page.goto(`/o/${stage.cast.organizationId}`);
    await heading("Overview").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await heading("Monitors").waitFor();
    await page.getByText("No monitors yet").waitFor();
    assert.equal(await page.title(), "Monitors · Longshore");
  });

  it("shows those that are down first, and follows events", async () => {
    const up = await addMonitor(stage, project, { name: "متجر الكتب" });
    const falling = await addMonitor(stage, project, { name: "Falling" });
    await addChecks(stage, up, 30);
    await judge(stage, up, "up");
    await page.goto(list());
    await named("متجر الكتب").locator('[data-state="up"]').waitFor();
    await named("متجر الكتب")
      .getByRole("img", { name: /^Last 60 checks: .* ms, 1 failed$/ })
      .waitFor();
    await named("متجر الكتب").getByText("100 %").first().waitFor();
    await named("Falling").getByText("web-1").waitFor();
    await judge(stage, falling, "down");
    await named("Falling").locator('[data-state="down"]').waitFor();
    await page.locator('[data-row="0"]').filter({ hasText: "Falling" }).waitFor();
  });

  it("keeps its filters in the address, and opens a monitor by the keyboard", async () => {
    await addHeartbeat(stage, project, { name: "Nightly backup" });
    await page.goto(list());
    await button("Kind").click();
    await page.getByRole("menuitemradio", { name: "Heartbeat" }).click();
    await page.waitForURL(/type=heartbeat/);
    await named("Falling").waitFor({ state: "detached" });
    await page.reload();
    await named("Nightly backup").waitFor();
    await page.getByRole("grid", { name: "Monitors" }).focus();
    await page.keyboard.press("Enter");
    await heading("Nightly backup").waitFor();
    await page.goto(list("?q=none+has+this"));
    await page.getByText("No monitor matches").waitFor();
  });

  it("reads hundreds where one looks", async () => {
    await stage.pool.query(
      `insert into monitors (organization_id, project_id, type, target, name, url, method, interval_seconds, timeout_seconds,
         confirmation_threshold)
       select $1, $2, 'http', 'project', 'Site ' || lpad(n::text, 3, '0'), 'https://example.com/', 'GET', 60, 10, 3
       from generate_series(1, 250) n`,
      [stage.cast.organizationId, project],
    );
    await page.goto(list(`?project_id=${project}`));
    await page.getByText("250 monitors").waitFor();
    await page.getByRole("grid", { name: "Monitors" }).focus();
    for (const next of ["101", "201"]) {
      await page.keyboard.press("End");
      await named(`Site ${next}`).waitFor();
    }
    await page.keyboard.press("End");
    await named("Site 250").waitFor();
  });

  it("shows its error, and reads again", async () => {
    await page.route(/\/api\/v1\/monitors\?/, (route) =>
      route.fulfill({ status: 500, json: { message: "It broke." } }),
    );
    await page.goto(list("?q=Falling"));
    await page.getByText("The monitors could not be read.").waitFor();
    await readAgain(page);
    await named("Falling").waitFor();
  });
});

describe("a new monitor", () => {
  it("asks for a project first where there is none", async () => {
    const charlie = await stage.signIn("charlie", `/o/${stage.cast.charlieOrganizationId}/monitors/new`);
    await charlie.getByText("Create a project first").waitFor();
    assert.equal(await button("Create monitor", charlie).count(), 0);
    await charlie.getByRole("link", { name: "New project" }).click();
    await heading("New project", charlie).waitFor();
  });

  it("requests the address of its project, and shows the API's sentence at a field", async () => {
    await page.goto(list(`/new?project=${project}`));
    await heading("New monitor").waitFor();
    const interval = page.getByRole("textbox", { name: "Interval" });
    assert.equal(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), "shop");
    await interval.fill("5");
    await button("Create monitor").click();
    await page.locator("[data-invalid]").filter({ hasText: "Interval" }).first().waitFor();
    await interval.fill("300");
    await button("Create monitor").click();
    await page.waitForURL(/\/monitors\/\d+$/);
    await heading("shop").waitFor();
    await page.locator('header [data-state="pending"]').waitFor();
    await page.getByText("every 5 min").waitFor();
  });

  it("takes no text for a project that was not chosen", async () => {
    await page.goto(list("/new"));
    const field = page.getByRole("combobox", { name: "Project" });
    await field.fill("none has this name");
    await page.getByText("No project has this name.").waitFor();
    await page.keyboard.press("Tab");
    await button("Create monitor").click();
    await page.locator("[data-invalid]").filter({ hasText: "Project" }).first().waitFor();
    await field.fill("sho");
    await page.getByRole("option", { name: "shop" }).first().click();
    await field.fill("another");
    await page.keyboard.press("Tab");
    assert.equal(await field.inputValue(), "shop");
  });

  it("expects reports of a job, of which each has one heartbeat", async () => {
    await addHeartbeat(stage, project, { name: "Taken" });
    const body = { name: "Mails", command: "bin/mails", cron_expression: "0 3 * * *" };
    await stage.as("alice")("POST /api/v1/projects/{id}/scheduler-jobs", { params: { id: project }, body });
    await page.goto(list(`/new?project=${project}`));
    await page.getByText("Expects a job to report").click();
    await page.getByRole("button", { name: /Job/ }).click();
    await page.getByRole("option", { name: "Nightly", disabled: true }).getByText("has a heartbeat already").waitFor();
    await page.getByRole("option", { name: "Mails" }).click();
    await button("Create monitor").click();
    await page.waitForURL(/\/monitors\/\d+$/);
    await page.getByText("every 1 d").waitFor();
  });

  it("is not for those who may not add one", async () => {
    const victor = await stage.signIn("victor", list("/new"));
    await victor.getByText("does not allow to add monitors").waitFor();
    await victor.goto(list());
    await named("Falling", victor).waitFor();
    assert.equal(await victor.getByRole("link", { name: /New monitor|Import/ }).count(), 0);
  });
});

describe("an import", () => {
  it("shows first what would be made and what is refused, and why", async () => {
    await stage.as("alice")("POST /api/v1/projects/{id}/scheduler-jobs", {
      params: { id: project },
      body: { name: "Weekly report", command: "bin/report", cron_expression: "0 4 * * 0" },
    });
    const text = JSON.stringify({
      checks: [
        { name: "Weekly report", slug: "weekly", schedule: "0 4 * * 0", grace: 3600 },
        { name: "Without a job", slug: "no", timeout: 3600, grace: 3600 },
      ],
    });
    await page.goto(list("/import"));
    await page.getByLabel("Export").fill("{");
    await button("Check import").click();
    await page.getByText("This is not JSON").waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page
      .getByRole("radio", { name: "Healthchecks" })
      .and(page.locator(":checked"))
      .waitFor({ state: "attached" });
    await button("Check import").click();
    const items = page.getByRole("list", { name: "Monitors of the export" }).getByRole("listitem");
    await items.filter({ hasText: "Without a job" }).locator('[data-state="skip"]').waitFor();
    await items.filter({ hasText: "Weekly report" }).getByText("Would be made").waitFor();
    await button("Import 1 monitor").click();
    await page.getByText("What was imported").waitFor();
    await items.getByRole("link", { name: "Weekly report" }).click();
    await heading("Weekly report").waitFor();
  });

  it("asks for the target of what nothing identifies, and keeps the place of what was chosen", async () => {
    const { rows } = await stage.pool.query("select name from projects where id = $1", [project]);
    const { name } = rows[0];
    const text = JSON.stringify({
      monitorList: [
        { id: 1, name: "Foreign page", type: "http", url: "https://foreign.example.org/", interval: 60 },
        { id: 2, name: "Name server", type: "dns" },
      ],
    });
    await page.goto(list("/import"));
    await page.getByLabel("Export").fill(text);
    await button("Check import").click();
    await button("Choose target of Foreign page").click();
    assert.equal(await button("Choose target of Name server").count(), 0, "No target makes it possible.");
    await page.keyboard.type(name);
    await page.getByRole("option", { name }).first().click();
    const site = page.getByRole("group", { name: "Target of Foreign page" }).getByRole("button", { name: /Site/ });
    await site.click();
    await page.getByText("The project, whatever its domains are").click();
    const items = page.getByRole("list", { name: "Monitors of the export" }).getByRole("listitem");
    await items.first().filter({ hasText: "Foreign page" }).getByText("Would be made").waitFor();
    await site.and(page.locator(":focus")).waitFor();
    await button("Import 1 monitor").click();
    await items.getByRole("link", { name: "Foreign page" }).click();
    await heading("Foreign page").waitFor();
    await page.getByRole("link", { name }).first().waitFor();
  });
});

describe("a monitor", () => {
  let id: number;
  beforeEach(async () => {
    id = await addMonitor(stage, project, { name: "Shop front" });
  });
  const address = (search = "") => list(`/${id}${search}`);

  it("shows why it is down, what was deployed before, and what another server found", async () => {
    await judge(stage, id, "up", { minutesAgo: 90 });
    await page.goto(address());
    await page.locator('header [data-state="up"]').waitFor();
    const deployment = {
      id: 12,
      process_type: "deployment",
      commit_id: "3fa92b1".padEnd(40, "0"),
      description: "Push by Bob",
    };
    await judge(stage, id, "down", {
      context: {
        ...{ status: 502, latency_ms: 34.4, phases_ms: { dns: 2.2, connect: 9 }, failures: 3 },
        second_opinion: {
          server_id: server,
          server_name: "web-1",
          is_up: false,
          status: 502,
          message: "It answered 502.",
        },
        deployment: { ...deployment, switched_at: new Date(Date.now() - 125_000).toISOString() },
      },
    });
    await page.locator('header [data-state="down"]').waitFor();
    const event = events().first();
    await event.getByText("HTTP 502, 34 ms, 3 failures in a row").waitFor();
    await event.getByText("DNS 2 ms, connection 9 ms").waitFor();
    await event.getByText(/A deployment went live 2 min 5 s before/).waitFor();
    assert.match(String(await event.getByRole("link", { name: "3fa92b1" }).getAttribute("href")), /\/deployments\/12$/);
    await event.getByText(/web-1 finds the same/).waitFor();
  });

  it("draws response times, which the keyboard reads, and as a table", async () => {
    await addChecks(stage, id, 30);
    await page.goto(address());
    await page.locator(".uplot canvas").waitFor();
    const cursor = page.getByRole("slider", { name: "Response time" });
    await cursor.focus();
    await page.keyboard.press("End");
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowLeft");
    await page
      .getByText(/12 of 60 checks failed/)
      .and(page.locator("p *"))
      .waitFor();
    assert.match(String(await cursor.getAttribute("aria-valuetext")), /p50 \d+ ms, p95 \d+ ms, 12 of 60 checks failed/);
    const table = page.getByRole("table", { name: "Response time" });
    assert.equal(await table.getByRole("row").filter({ hasText: "12 of 60" }).count(), 1);
    const asked = page.waitForRequest((request) => /\/history\?.*resolution=day/.test(request.url()));
    await page.getByRole("radio", { name: "90 d" }).click();
    await asked;
    await page.waitForURL(/range=90d/);
  });

  it("is paused, resumed, and says what happened", async () => {
    await page.goto(address());
    await button("Pause monitor").click();
    await page.locator('header [data-state="inactive"]').waitFor();
    await button("Resume monitor").click();
    await page.locator('header [data-state="pending"]').waitFor();
  });

  it("saves what was changed, and keeps what one typed when others change it", async () => {
    await page.goto(address());
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Shop window");
    const body = { config: { timeout_seconds: 20 } };
    const updated = await stage.as("adam")("PUT /api/v1/monitors/{id}", { params: { id }, body });
    assert.ok(updated.ok);
    await page.getByText("adam@example.com changed Timeout").waitFor();
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    await heading("Shop window").waitFor();
    assert.equal(await page.getByLabel("Timeout").inputValue(), "20");
  });

  it("sends notifications where one adds it, and shows a bad address at its field", async () => {
    await page.goto(address());
    await button("Add notification").click();
    await page.getByRole("textbox", { name: "Target" }).fill("nowhere");
    await button("Save").click();
    await page.locator("[data-invalid]").filter({ hasText: "Target" }).first().waitFor();
    await page.getByRole("textbox", { name: "Target" }).fill("ops@example.com");
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    const read = await stage.as("alice")("GET /api/v1/monitors/{id}", { params: { id } });
    assert.deepEqual(read.ok && read.body.data.notification_channels.map(({ target }) => target), ["ops@example.com"]);
  });

  it("shows earlier events when one asks", async () => {
    await stage.pool.query(
      `insert into monitor_events (monitor_id, status, message)
       select $1, 'up', 'Event ' || n from generate_series(1, 30) n`,
      [id],
    );
    await page.goto(address());
    await events().filter({ hasText: "Event 30" }).waitFor();
    assert.equal(await events().count(), 20);
    await button("Show earlier events").click();
    await events()
      .filter({ hasText: /Event 1$/ })
      .waitFor();
  });

  it("is deleted after a question", async () => {
    await page.goto(address());
    await button("Delete monitor").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete monitor" }).click();
    await page.waitForURL(/\/monitors$/);
    await page.goto(address());
    await heading("There is no such monitor").waitFor();
  });

  it("offers a viewer nothing to press, and not the address that jobs report to", async () => {
    const { id: heartbeat } = await addHeartbeat(stage, project, { name: "Nightly" });
    const victor = await stage.signIn("victor", list(`/${heartbeat}`));
    await heading("Nightly", victor).waitFor();
    await victor.getByText("Nothing was reported yet").waitFor();
    assert.equal(await victor.getByRole("button", { name: /Save|Pause|Delete|Show ping|Add/ }).count(), 0);
  });

  it("shows the address that a job reports to only when one asks", async () => {
    const { id: heartbeat, token } = await addHeartbeat(stage, project, { name: "Nightly" });
    await page.goto(list(`/${heartbeat}`));
    await heading("Nightly").waitFor();
    assert.equal((await page.content()).includes(token), false);
    await button("Show ping address").click();
    await page.getByText(new RegExp(`^http\\S+/ping/${token}$`)).waitFor();
    await page.getByText(/^0 3 \* \* \* .*\/\$\?$/).waitFor();
    await button("Hide ping address").click();
    await page.getByText(token).first().waitFor({ state: "detached" });
  });
});

describe("the monitors of a project", () => {
  it("begin with one press", async () => {
    await page.goto(ofProject());
    await page.getByText("Nothing watches this project").waitFor();
    await button("Watch this project").click();
    await page.getByRole("table", { name: "Monitors" }).getByRole("link", { name: "shop" }).waitFor();
    await page.getByRole("link", { name: "New monitor" }).click();
    await page.waitForURL(new RegExp(`project=${project}$`));
  });

  it("fit on a phone, as all pages of monitors do", async () => {
    const id = await addMonitor(stage, project, {
      name: "A name that is as long as people make them, of the autumn campaign",
    });
    await addChecks(stage, id, 30);
    await judge(stage, id, "down", { message: "The certificate of www.a-very-long-name.example.com has expired." });
    const phone = await stage.signIn("alice", "/account", { viewport: { width: 360, height: 740 } });
    for (const path of [list(), list("/new"), list("/import"), list(`/${id}`), ofProject()]) {
      await phone.goto(path);
      await phone.getByRole("heading", { level: 1 }).waitFor();
      await phone.locator("main").getByText(/./).first().waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path}: ${overflow} px too wide`);
    }
  });
});
