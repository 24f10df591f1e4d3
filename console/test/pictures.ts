// Makes pictures of all stories, to look at: node console/test/pictures.ts --out DIRECTORY [STORY…]
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { listVisits, openStory, type StoriesServer, serveStories, showTheme, type Visit } from "./stories-server.ts";

const looks = [
  { name: "light", theme: "light", width: 1_000, height: 700 },
  { name: "dark", theme: "dark", width: 1_000, height: 700 },
  { name: "phone", theme: "light", width: 360, height: 740 },
] as const;

const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
if (values.out === undefined) {
  process.stderr.write("Usage: node console/test/pictures.ts --out DIRECTORY [STORY…]\n");
  process.exit(2);
}

async function takePictures(
  page: Page,
  server: StoriesServer,
  { visit, directory }: { visit: Visit; directory: string },
) {
  await openStory(page, server, visit);
  const name = [visit.story, visit.state].filter(Boolean).join(".").replaceAll(/[ /]/g, "-");
  for (const { name: look, theme, width, height } of looks) {
    await page.setViewportSize({ width, height });
    await showTheme(page, theme);
    await page.screenshot({ path: join(directory, `${name}.${look}.png`), fullPage: true, animations: "disabled" });
  }
}

await mkdir(values.out, { recursive: true });
const server = await serveStories();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
  const visits = (await listVisits(page, server)).filter(
    ({ story }) => positionals.length === 0 || positionals.includes(story),
  );
  for (const visit of visits) await takePictures(page, server, { visit, directory: values.out });
} finally {
  await browser.close();
  await server.close();
}
