import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProject, addProvisioned, deployed } from "../../src/features/deployments/tests/support.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// Jobs, commands and logs of a project. No server answers: what servers would report is not shown as done.

let stage: Stage;
let server: number;
let project: number;
let page: Page;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  server = await addProvisioned(stage);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(async () => {
  project = await addProject(stage.pool, server);
});

const open = (tab: string, at = page) => at.goto(`/o/${stage.cast.organizationId}/projects/${project}/${tab}`);
const button = (name: string, at: Pick<Page, "getByRole"> = page) => at.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const job = (name: string) => page.locator(`[data-job="${name}"]`);

async function addJob(name: string, cron_expression = "*/5 * * * *"): Promise<void> {
  const body = { name, command: "bin/report", cron_expression };
  const added = await stage.as("bob")("POST /api/v1/projects/{id}/scheduler-jobs", { params: { id: project }, body });
  assert.equal(added.ok, true, JSON.stringify(added.body));
}

async function install(): Promise<void> {
  await deployed(stage, project, server);
  await stage.pool.query("update projects set installation_status = 1 where id = $1", [project]);
}

describe("the jobs of a project", () => {
  it("are added with a schedule that is put into words while one types", async () => {
    await open("jobs");
    await page.getByText("No scheduled jobs").waitFor();
    await button("Add scheduled job").click();
    await dialog().getByLabel("Name").fill("Nightly report");
    await dialog().getByLabel("Command").fill("bin/report --all");
    await dialog().getByLabel("Schedule").fill("0 3 * *");
    await button("Add job", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "Schedule" }).waitFor();
    await dialog().getByLabel("Schedule").fill("0 3 * * *");
    await dialog().getByText("Every day at 03:00").waitFor();
    await button("Add job", dialog()).click();
    await job("Nightly report").getByText("Every day at 03:00").waitFor();
    await job("Nightly report").locator('[data-state="pending"]').waitFor();
  });

  it("appear when someone else adds one, are changed, and deleted", async () => {
    await open("jobs");
    await page.getByText("No scheduled jobs").waitFor();
    await addJob("Report");
    await button("Actions of Report", job("Report")).click();
    await page.getByRole("menuitem", { name: "Edit job" }).click();
    await dialog().getByLabel("Schedule").fill("@hourly");
    await button("Save", dialog()).click();
    await job("Report").getByText("Every hour").waitFor();
    await button("Actions of Report", job("Report")).click();
    await page.getByRole("menuitem", { name: "Delete job" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete job" }).click();
    await job("Report").waitFor({ state: "detached" });
  });

  it("say before the press why one cannot be run", async () => {
    await addJob("Report");
    await open("jobs");
    await button("Actions of Report").click();
    await page.getByRole("menuitem", { name: "Run now" }).getByText("not installed on its server yet").waitFor();
  });

  it("run all the time, in as many processes as one asks for", async () => {
    await open("jobs");
    await button("Add background job").click();
    await dialog().getByLabel("Name").fill("Worker");
    await dialog().getByLabel("Command").fill("bin/work");
    await dialog().getByLabel("Processes").fill("3");
    await button("Add job", dialog()).click();
    await job("Worker").getByText("3 processes").waitFor();
    await button("Actions of Worker").click();
    await page.getByRole("menuitem", { name: "Switch off" }).click();
    await job("Worker").locator('[data-state="inactive"], [data-state="pending"]').waitFor();
    await button("Actions of Worker").click();
    await page.getByRole("menuitem", { name: "Switch on" }).waitFor();
  });

  it("are nothing that a viewer could change", async () => {
    await addJob("Report");
    const victor = await stage.signIn("victor", `/o/${stage.cast.organizationId}/projects/${project}/jobs`);
    await victor.locator('[data-job="Report"]').waitFor();
    assert.equal(await victor.getByRole("button", { name: /Add|Actions of Report/ }).count(), 0);
  });
});

describe("the commands of a project", () => {
  it("are refused with the reason while nothing is installed", async () => {
    await open("commands");
    await reach(button("Run command"));
    await page.getByRole("tooltip").getByText("no live release").waitFor();
  });

  it("are run, shown while they run, and cancelled", async () => {
    await install();
    await open("commands");
    await page.getByText("No command was run yet").waitFor();
    await page.getByLabel("Command", { exact: true }).fill("ls -la");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?command=\d+$/);
    await page.getByRole("heading", { name: "Output" }).waitFor();
    await page.getByRole("row").filter({ hasText: "ls -la" }).locator('[data-state="queued"]').waitFor();
    await button("Cancel command").click();
    await page.locator('[data-state="cancelling"], [data-state="cancelled"]').first().waitFor();
  });
});

describe("the logs of a project", () => {
  it("follow what one chooses, and say why there is nothing", async () => {
    await open("logs");
    const asked = page.waitForRequest((request) => /logs\/stream\?.*since=1h/.test(request.url()));
    await page.getByRole("button", { name: "Since" }).click();
    await page.getByRole("menuitemcheckbox", { name: "1 hour" }).click();
    await asked;
    await page.keyboard.press("Escape");
    const searched = page.waitForRequest((request) => /logs\/stream\?.*q=timeout/.test(request.url()));
    await page.getByRole("searchbox", { name: "Search the log" }).fill("timeout");
    await searched;
    await page.waitForURL(/q=timeout/);
    await page.reload();
    assert.equal(await page.getByRole("searchbox", { name: "Search the log" }).inputValue(), "timeout");
    await page.getByText("The server does not answer").waitFor();
  });

  it("fit on a phone, as all of them do", async () => {
    await addJob("A report with a name that is rather long, as names are");
    await install();
    const phone = await stage.signIn("alice", "/account", { viewport: { width: 360, height: 740 } });
    for (const tab of ["jobs", "commands", "logs"]) {
      await open(tab, phone);
      await phone.getByRole("navigation", { name: "Project", exact: true }).locator("[aria-current=page]").waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${tab}: ${overflow} px too wide`);
    }
  });
});
