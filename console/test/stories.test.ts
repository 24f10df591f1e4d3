import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { AxeResults } from "axe-core";
import { openBrowser } from "./browser.ts";
import { listVisits, openStory, serveStories, showTheme } from "./stories-server.ts";

// Every story in both themes: the rules of WCAG 2.2 AA that a program can check, no error, and nothing that the content
// security policy of the console refuses.

const server = await serveStories();
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
const visits = await listVisits(page, server);
const axe = await readFile(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");

const errors: string[] = [];
page.on("pageerror", (error) => errors.push(error.message));
// Chromium reports here what the policy refused.
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));

after(async () => {
  await browser.close();
  await server.close();
});

const rules = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  // An experiment of axe. Options and menu items have their description beside the name, as a description.
  rules: { "label-content-name-mismatch": { enabled: false } },
};

async function violations(theme: "light" | "dark"): Promise<string[]> {
  await showTheme(page, theme);
  const result = (await page.evaluate(
    // @ts-expect-error axe is in the page.
    (options) => axe.run(document, options),
    rules,
  )) as AxeResults;
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${theme}: ${id}: ${help}\n  ${target.join(" ")}\n  ${failureSummary}`),
  );
}

describe("each story is accessible, and runs without an error", () => {
  for (const visit of visits) {
    it([visit.story, visit.state].filter(Boolean).join(": "), async () => {
      errors.length = 0;
      await openStory(page, server, visit);
      await page.evaluate(axe);
      const found = [...(await violations("light")), ...(await violations("dark"))];
      assert.equal([...found, ...errors].join("\n\n"), "");
    });
  }
});
