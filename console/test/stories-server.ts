import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import type { Page } from "playwright-core";
import { mustRun } from "../../sandbox/command.ts";
import { policyWith } from "../../src/http/console-build.ts";
import { styleHashesIn } from "../../tools/console-build.ts";

/** Something to visit: a story, or one state of a story that has the window for itself. */
export interface Visit {
  story: string;
  state?: string;
}

export interface StoriesServer {
  url: (visit?: Visit) => string;
  close: () => Promise<void>;
}

const root = resolve(import.meta.dirname, "..");

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Builds the stories into a temporary directory and serves them on a free port. */
export async function serveStories(): Promise<StoriesServer> {
  const directory = await mkdtemp(join(tmpdir(), "longshore-stories-"));
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const options = ["--config", "stories/vite.config.ts", "--outDir", directory, "--emptyOutDir", "--logLevel", "warn"];
  await mustRun([process.execPath, vite, "build", ...options, "stories"], { cwd: root });
  const policy = policyWith(await styleHashesIn(join(root, "node_modules")));
  const server = createServer((request, response) => {
    response.setHeader("content-security-policy", policy);
    void send(directory, request.url ?? "/", response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: (visit) => `http://127.0.0.1:${port}/?${new URLSearchParams({ ...visit })}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function send(directory: string, url: string, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, "http://stories");
  const path = normalize(pathname === "/" ? "/index.html" : pathname);
  const content = await readFile(join(directory, path)).catch(() => undefined);
  response.writeHead(content ? 200 : 404, { "content-type": types[extname(path)] ?? "application/octet-stream" });
  response.end(content);
}

export async function listVisits(page: Page, server: StoriesServer): Promise<Visit[]> {
  await page.goto(server.url());
  const listed = await page.locator("html[data-stories]").getAttribute("data-stories");
  return JSON.parse(listed ?? "[]") as Visit[];
}

/** Opens a story, and waits for its fonts, for a page that reads, and for what opens right after its first frame. */
export async function openStory(page: Page, server: StoriesServer, visit: Visit): Promise<void> {
  const open = async (timeout: number) => {
    await page.goto(server.url(visit), { timeout });
    await page.locator("html[data-stories]:not([data-reads])").waitFor({ state: "attached", timeout });
  };
  // A local server of another test may add a network interface: chromium then ends the requests of the page without a word.
  await open(8_000).catch(() => open(30_000));
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let frames = 0; frames < 4; frames++) await frame();
    await document.fonts.ready;
  });
}

export const showTheme = (page: Page, theme: "light" | "dark"): Promise<void> =>
  page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, theme);
