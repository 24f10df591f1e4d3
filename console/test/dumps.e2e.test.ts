import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { downServer } from "../../sandbox/sandbox.ts";
import { waitFor } from "../../stage/api-client.ts";
import { type Platform, provisionedServer, removeDirectory, startPlatform } from "../../stage/fixture.ts";
import { lengthy, waiting } from "../../stage/support.ts";
import { openBrowser } from "./browser.ts";
import { builtConsole } from "./built.ts";

// Dumps between the disk of the browser and a real engine.

const machine = `console-dumps-${process.pid}`;
let directory: string;
let platform: Platform;
let browser: Browser;
let page: Page;
let address: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-console-dumps-"));
  const env = { LONGSHORE_CONSOLE: await builtConsole() };
  platform = await startPlatform({ dataDirectory: join(directory, "data"), env });
  const { serverId: id } = await provisionedServer(platform, machine, { database_engine: "mariadb" });
  const { data } = await platform.client("POST /api/v1/servers/{id}/databases", {
    params: { id },
    body: { name: "shop" },
  });
  await waitFor(
    "the database",
    async () => {
      const list = await platform.client("GET /api/v1/servers/{id}/databases", { params: { id } });
      return list.data.some((each) => each.id === data.id && each.status === 1);
    },
    waiting,
  );
  address = `${platform.url}/o/${platform.organizationId}/servers/${id}/databases/${data.id}`;
  browser = await openBrowser();
  page = await signedIn();
}, lengthy);

after(async () => {
  await browser?.close();
  await downServer(machine);
  await platform?.stop();
  await removeDirectory(directory);
});

async function signedIn(): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  const answer = await context.request.post(`${platform.url}/api/auth/sign-in/email`, {
    headers: { origin: platform.url },
    data: { email: platform.email, password: platform.password },
  });
  assert.equal(answer.status(), 200, await answer.text());
  return context.newPage();
}

async function load(dump: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Load dump" }).click();
  const file = join(directory, "shop.sql");
  await writeFile(file, dump);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("dialog").getByRole("button", { name: "Load dump" }).click();
}

describe("a dump", () => {
  it("is sent with its progress in view, loaded, and comes back from the disk of the server", async () => {
    const line = `INSERT INTO things (text) VALUES ('${"x".repeat(100_000)}');\n`;
    const end = "-- Dump completed on 2026-11-27 10:00:00\n";
    await load(`CREATE TABLE things (id INT AUTO_INCREMENT PRIMARY KEY, text LONGTEXT);\n${line.repeat(300)}${end}`);
    await page.getByRole("progressbar", { name: /shop\.sql/ }).waitFor();
    await page.waitForURL(/\?import=\d+$/);
    await page.locator('[data-state="loaded"]').waitFor();
    const begun = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download dump" }).click();
    const download = await begun;
    assert.equal(download.suggestedFilename(), "shop.sql.gz");
    const content = gunzipSync(await readFile(await download.path())).toString();
    assert.ok(content.includes("CREATE TABLE `things`"));
    assert.ok(content.length > 30_000_000);
  });

  it("that the engine refuses shows its error", async () => {
    await load("CREATE TABEL things (id INT);\n-- Dump completed on 2026-11-27 10:00:00\n");
    await page.locator('[data-state="failed"]').waitFor();
    await page.getByText("ERROR 1064").waitFor();
  });
});
