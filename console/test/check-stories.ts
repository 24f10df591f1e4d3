import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { listVisits, openStory, serveStories, showTheme, type Visit } from "./stories-server.ts";

/**
 * Checks stories in both themes: the rules of WCAG 2.2 AA that a program can check, no error, and nothing that the content
 * security policy of the console refuses.
 */
export async function checkStories(isChecked: (story: string) => boolean): Promise<void> {
  const server = await serveStories();
  const browser = await openBrowser();
  after(async () => {
    await browser.close();
    await server.close();
  });
  const page = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
  const errors = errorsOf(page);
  const visits = (await listVisits(page, server)).filter(({ story }) => isChecked(story));
  const axe = await readFile(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");
  describe("each story is accessible, and runs without an error", () => {
    for (const visit of visits) {
      it([visit.story, visit.state].filter(Boolean).join(": "), async () => {
        errors.length = 0;
        await openStory(page, server, visit);
        await page.evaluate(axe);
        const found = await violationsOf(page, visit);
        assert.equal([...found, ...errors].join("\n\n"), "");
      });
    }
  });
}

/** The frame around a page is the same in all of its states, and so are the colours of what waits or has failed. */
async function violationsOf(page: Page, { state }: Visit): Promise<string[]> {
  const part = state === undefined || state === "filled" ? "html" : "main, [role=dialog]";
  const light = await violations(page, { theme: "light", part, options: rules });
  if (state === "loading" || state === "error") return light;
  return [...light, ...(await violations(page, { theme: "dark", part, options: ofColours }))];
}

function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  // Chromium reports here what the policy refused.
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("net::ERR_NETWORK_CHANGED")) errors.push(message.text());
  });
  return errors;
}

const rules: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  // An experiment of axe. Options and menu items have their description beside the name, as a description.
  rules: { "label-content-name-mismatch": { enabled: false } },
};

/** Nothing else depends on the theme. */
const ofColours: RunOptions = { runOnly: ["color-contrast"] };

interface Check {
  theme: "light" | "dark";
  /** Selects what is checked. */
  part: string;
  options: RunOptions;
}

async function violations(page: Page, { theme, part, options }: Check): Promise<string[]> {
  await showTheme(page, theme);
  const result = (await page.evaluate(
    // @ts-expect-error axe is in the page.
    ([chosen, given]) => axe.run(document.querySelector(chosen) ? chosen : "html", given),
    [part, options] as const,
  )) as AxeResults;
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${theme}: ${id}: ${help}\n  ${target.join(" ")}\n  ${failureSummary}`),
  );
}
