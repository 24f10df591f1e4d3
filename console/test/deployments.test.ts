import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  finishRun,
} from "../../src/features/deployments/tests/support.ts";
import { viewIn } from "../src/pages/deployments/filters.ts";
import { begin } from "./printed-log.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let server: number;
let shop: number;
let site: number;
let page: Page;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage);
  [shop, site] = [await addProject(stage.pool, server), await addProject(stage.pool, server)];
  await stage.pool.query("update projects set name = 'متجر الكتب' where id = $1", [site]);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());

const open = (search = "") => page.goto(`/o/${stage.cast.organizationId}/deployments${search}`);
const grid = () => page.getByRole("grid", { name: "Deployments" });
const row = (id: number) =>
  grid()
    .getByRole("row")
    .filter({ has: page.getByText(String(id), { exact: true }) });

describe("the list of deployments", () => {
  it("has what the API has, the newest first, and leads to each", async () => {
    const failed = await deployed(stage, shop, server, "failed");
    const live = await deployed(stage, site, server);
    await open();
    await row(live).getByText("Live", { exact: true }).waitFor();
    await row(live).getByText("متجر الكتب").waitFor();
    await row(failed).locator('[data-state="failed"]').waitFor();
    for (const [at, id] of [live, failed].entries())
      await grid()
        .getByRole("row")
        .nth(at + 1)
        .getByText(String(id), { exact: true })
        .waitFor();
    await row(failed).getByRole("link").click();
    await page.getByRole("heading", { name: `Deployment ${failed}` }).waitFor();
  });

  it("shows new ones on top, and their progress, without a reload", async () => {
    await open();
    await grid().waitFor();
    const id = await begin(stage, shop, server);
    await row(id).locator('[data-state="running"]').waitFor();
    const [queued] = (await deploy(stage, shop)) as [number];
    await row(queued).locator('[data-state="queued"]').waitFor();
    await stage.as("alice")("POST /api/v1/deployments/{id}/cancel", { params: { id: queued } });
    await row(queued).locator('[data-state="cancelled"]').waitFor();
    await finishRun(stage, id, "succeeded", { commit: "d".repeat(40) });
    await row(id).locator('[data-state="success"]').waitFor();
  });

  it("has keys wherever the focus is, and actions of each row", async () => {
    const [queued] = (await deploy(stage, shop)) as [number];
    await open(`?project_id=${shop}`);
    await row(queued).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Cancel deployment" }).click();
    await row(queued).locator('[data-state="cancelled"]').waitFor();
  });

  it("is filtered by its address, and puts filters in it", async () => {
    const failed = await deployed(stage, shop, server, "failed");
    await page.clock.install();
    await open("?status=failed&q=requested");
    await row(failed).waitFor();
    assert.equal(await grid().locator('[data-state="success"]').count(), 0);
    await page.getByRole("button", { name: /^State/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Cancelled" }).click();
    await page.waitForURL(/status=failed%2Ccancelled/);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Reset" }).click();
    await page.waitForURL(/deployments\??$/);
    // The address follows what is typed after a pause: the text that was reset must not come back with it.
    await page.clock.runFor(2_000);
    await grid().locator('[data-state="success"]').first().waitFor();
    assert.match(page.url(), /deployments\??$/);
    await open("?q=nothing-has-this");
    await page.getByText("No deployment matches").waitFor();
  });

  it("goes back as far as one scrolls", async () => {
    await stage.pool.query(
      `insert into deployments (organization_id, project_id, server_id, process_type, git_branch, description, status, started_at, ended_at)
       select organization_id, id, server_id, 'deployment', 'main', 'old', 2, now(), now() from projects, generate_series(1, 180)
       where id = $1`,
      [shop],
    );
    await open(`?project_id=${shop}`);
    await grid().getByRole("row").nth(5).waitFor();
    const oldest = await stage.as("alice")("GET /api/v1/deployments", { query: { project_id: [shop], per_page: 100 } });
    assert.ok(oldest.ok && oldest.body.next_before !== null);
    await grid().focus();
    for (let n = 0; n < 3; n++) {
      await page.keyboard.press("End");
      await page.waitForFunction(
        (count) => {
          const shown = document.querySelector("[role=grid]")?.getAttribute("aria-rowcount");
          return Number(shown) > count;
        },
        50 * (n + 1),
      );
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Deployment \d+$/ }).waitFor();
  });

  it("fits a phone", async () => {
    const phone = await stage.signIn("alice", `/o/${stage.cast.organizationId}/deployments`, {
      viewport: { width: 360, height: 740 },
    });
    await phone.getByRole("grid").waitFor();
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await phone.close();
  });
});

describe("the address of the list", () => {
  it("asks for nothing that the API refuses", () => {
    const search = "status=failed,bogus&project_id=1,x,-2&initiator=push,Bob,7&days=9&from=yesterday&q=%20%20";
    assert.deepEqual(viewIn(new URLSearchParams(search), 0), {
      filter: { status: ["failed"], project_id: [1], initiator: ["push", "7"] },
    });
    assert.deepEqual(viewIn(new URLSearchParams("days=7"), 8 * 86_400_000), {
      filter: { from: "1970-01-02T00:00:00.000Z" },
      days: "7",
    });
  });
});
