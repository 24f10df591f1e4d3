import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProject, addProvisioned, finishRun } from "../../src/features/deployments/tests/support.ts";
import { begin as beginProcess } from "../../src/tests/platform.ts";
import { freePort } from "../../stage/free-port.ts";
import { begin, print, startStep } from "./printed-log.ts";
import { openStage, type Stage } from "./stage.ts";

// The control plane is a process of its own, which is killed while its pages are open and started again on the same port. The
// stage works on the same database, as another process of the installation.

let stage: Stage;
let data: string;
let server: number;
let project: number;
let port: number;
let controlPlane: Awaited<ReturnType<typeof start>>;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web-1" });
  project = await addProject(stage.pool, server);
  data = await mkdtemp(join(tmpdir(), "longshore-restart-"));
  port = await freePort();
  controlPlane = await start();
});
after(async () => {
  await kill();
  if (stage) forgetLostConnections(stage.problems);
  await stage?.close();
  await rm(data, { recursive: true, force: true });
});

async function start() {
  const running = beginProcess(["up", "--role", "api", "--port", String(port), "--data", data], {
    DATABASE_URL: stage.database.url,
    LONGSHORE_LOG_LEVEL: "warn",
    LONGSHORE_SESSION_RATE_LIMIT: "1000000",
  });
  if (!(await running.ready)) assert.fail((await running.ended).stderr);
  return running;
}

async function kill(): Promise<void> {
  controlPlane?.signal("SIGKILL");
  await controlPlane?.ended;
}

/** Browsers log each request that got no answer. */
function forgetLostConnections(problems: string[]): void {
  const others = problems.filter((problem) => !/net::ERR_|dynamically imported module/.test(problem));
  problems.splice(0, problems.length, ...others);
}

const home = () => `/o/${stage.cast.organizationId}`;
const signIn = (path: string): Promise<Page> =>
  stage.signIn("alice", path, { baseURL: `http://localhost:${port}`, viewport: { width: 1_200, height: 700 } });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const bar = (page: Page) => page.getByText(/^Not connected since \d\d:\d\d\. What you see may be out of date\.$/);

/** The lines of a log on screen, by their numbers. */
const shownLines = (page: Page): Promise<string[]> =>
  page.getByRole("region", { name: /^Log of deployment/ }).evaluate((log) => {
    const { top, bottom } = log.getBoundingClientRect();
    const lines = [...log.querySelectorAll<HTMLElement>("[data-line]")];
    const isShown = (line: Element) =>
      line.getBoundingClientRect().bottom > top && line.getBoundingClientRect().top < bottom;
    return lines.filter(isShown).map(({ dataset }) => dataset.line ?? "");
  });

async function failedDeployment(): Promise<number> {
  const id = await begin(stage, project, server);
  await startStep(stage, id, 0);
  await print(stage, id, Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}\n`).join(""));
  await finishRun(stage, id, "failed", {}, "It failed.");
  return id;
}

describe("while the control plane is killed and started again", () => {
  it("pages keep what was typed, filters and the place in a log, and are live again", async () => {
    const form = await signIn(`${home()}/projects/new`);
    const [list, log] = [await form.context().newPage(), await form.context().newPage()];
    await form.getByRole("textbox", { name: "Repository" }).fill("https://git.example.com/acme/typed.git");
    await list.goto(`${home()}/servers?q=web`);
    await list.getByRole("row", { name: /web-1/ }).waitFor();
    await log.goto(`${home()}/deployments/${await failedDeployment()}#L1500`);
    await log.locator('[data-line="1500"]').waitFor();
    const [first] = await shownLines(log);

    await kill();
    for (const page of [form, list, log]) await bar(page).waitFor();
    await form.getByRole("textbox", { name: "Branch" }).fill("typed-without-a-connection");
    await addProvisioned(stage, { name: "web-2" });

    controlPlane = await start();
    await list.getByRole("row", { name: /web-2/ }).waitFor();
    for (const page of [form, list, log]) await bar(page).waitFor({ state: "detached" });
    assert.equal(
      await form.getByRole("textbox", { name: "Repository" }).inputValue(),
      "https://git.example.com/acme/typed.git",
    );
    assert.equal(await form.getByRole("textbox", { name: "Branch" }).inputValue(), "typed-without-a-connection");
    assert.equal(await list.getByRole("searchbox").inputValue(), "web");
    // Where it ends depends on what stands above the log.
    assert.equal((await shownLines(log))[0], first);
    await form.context().close();
  });

  it("what could not be read or loaded is there when it answers again, without a press", async () => {
    const [unread, unloaded] = [await signIn(`${home()}/servers`), await signIn(`${home()}/servers`)];
    for (const page of [unread, unloaded]) await page.getByRole("row", { name: /web-1/ }).waitFor();
    await kill();
    await bar(unread).waitFor();
    await unread.getByRole("searchbox").fill("web-1");
    await unread.getByRole("button", { name: "Try again" }).waitFor();
    await unloaded.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Activity" }).click();
    await heading(unloaded, "This page could not be shown").waitFor();
    controlPlane = await start();
    await unread.getByRole("row", { name: /web-1/ }).waitFor();
    await heading(unloaded, "Activity").waitFor();
    for (const page of [unread, unloaded]) await page.context().close();
  });

  it("a request whose answer was lost is sent again, and happens once", async () => {
    const page = await signIn(`${home()}/projects/${project}`);
    const deploy = page.getByRole("button", { name: "Deploy", exact: true });
    await deploy.waitFor();
    const count = async () =>
      (await stage.pool.query("select 1 from deployments where project_id = $1", [project])).rowCount ?? 0;
    const [before, keys] = [await count(), new Set<string | undefined>()];
    let restarted: Promise<unknown> | undefined;
    await page.route("**/api/v1/deployments", async (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.continue();
      keys.add(request.headers()["idempotency-key"]);
      if (restarted) return route.continue();
      await route.fetch();
      await kill();
      restarted = start().then((started) => {
        controlPlane = started;
      });
      await route.abort("connectionreset");
    });
    await deploy.click();
    await page.waitForURL(/\/deployments\/\d+$/);
    await restarted;
    assert.deepEqual([await count(), keys.size], [before + 1, 1]);
    await page.context().close();
  });
});
