// Takes the pictures of the README from a running control plane, such as the demo's:
//   node console/test/tour.ts --out DIRECTORY         reads the address that signs in, `URL/sign-in#CODE`, from standard input
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Locator, Page } from "playwright-core";
import type { Reply } from "../../contract/client.ts";
import { mustRun } from "../../sandbox/command.ts";
import { ensurePackages } from "../../sandbox/packages.ts";
import { openBrowser } from "./browser.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const link = (await text(process.stdin)).trim();
if (link === "" || values.out === undefined) {
  process.stderr.write("Usage: echo LINK | node console/test/tour.ts --out DIRECTORY\n");
  process.exit(2);
}

interface Picture {
  name: string;
  path: string;
  /** On screen when the page is whole. */
  last: (page: Page) => Locator;
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
}

const size = { width: 1_200, height: 720 };

async function takePictures(page: Page, link: string, out: string): Promise<string[]> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/o\/\d+/);
  const files: string[] = [];
  for (const { name, path, last, act } of await listPictures(page)) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await last(page).waitFor();
      await act?.(page);
      files.push(join(out, `${name}-${colorScheme}.png`));
      await page.screenshot({ path: files.at(-1) as string, animations: "disabled" });
    }
  }
  return files;
}

async function listPictures(page: Page): Promise<Picture[]> {
  const { pathname } = new URL(page.url());
  const organization = /\d+/.exec(pathname)?.[0] ?? "";
  const answer = await page.request.get("/api/v1/deployments", { headers: { "X-Organization": organization } });
  const { data } = (await answer.json()) as Reply<"GET /api/v1/deployments">;
  const shown = data.find(({ project, is_live }) => project?.name === "booking" && is_live) ?? data[0];
  return [
    { name: "overview", path: pathname, last: (at) => at.getByRole("main").getByRole("link").last() },
    {
      name: "deployment",
      path: `${pathname}/deployments/${shown?.id}`,
      last: (at) => at.locator("[data-end]"),
      act: openBuild,
    },
    { name: "projects", path: `${pathname}/projects`, last: (at) => at.locator("[data-row] [data-open]").last() },
  ];
}

/** Shows the lines of the build, which are folded when it is done. */
async function openBuild(page: Page): Promise<void> {
  const build = page.getByText("Build", { exact: true });
  await page.getByRole("button").filter({ has: build }).click();
  await page.locator("[data-line]").first().waitFor();
}

await ensurePackages(["pngquant"], "it makes the pictures small");
await mkdir(values.out, { recursive: true });
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 2, baseURL: new URL(link).origin });
  const files = await takePictures(page, link, values.out);
  await mustRun(["pngquant", "--force", "--ext", ".png", "--speed", "1", "--strip", "64", ...files]);
} finally {
  await browser.close();
}
