// Also runs on managed servers: uses only Node and the dependencies in package.json beside it.
import { createRequire } from "node:module";
import TurndownService from "turndown";

const require = createRequire(import.meta.url);
// Neither package has types.
const { gfm } = require("@joplin/turndown-plugin-gfm") as { gfm: TurndownService.Plugin };
const domino = require("@mixmark-io/domino") as { createDocument(html: string): Page };

/** The part of the DOM that is used here. */
interface Element {
  remove(): void;
}

interface Page {
  title: string;
  body: Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): ArrayLike<Element>;
}

const turndown = new TurndownService({
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  hr: "---",
});
turndown.use(gfm);

/** Elements that are useless to a reader of text. */
const unreadable =
  "script, style, noscript, template, svg, iframe, object, canvas, form, dialog, [hidden], [aria-hidden=true]";
/** Elements around the main text, for pages that do not mark the main text. */
const surroundings = "body > nav, body > header, body > footer, body > aside";

/** A page's text as Markdown: its `main` or only `article` if it has one, under its title. */
export function markdownOf(html: string): string {
  const page = domino.createDocument(html);
  for (const element of Array.from(page.querySelectorAll(unreadable))) element.remove();
  const text = turndown.turndown(contentOf(page) as never).trim();
  const title = page.title.trim().replaceAll(/\s+/g, " ");
  return `${title === "" || /^# /m.test(text) ? "" : `# ${title}\n\n`}${text}\n`;
}

function contentOf(page: Page): Element {
  const main = page.querySelector("main, [role=main]");
  if (main) return main;
  const articles = page.querySelectorAll("article");
  if (articles.length === 1) return articles[0] as Element;
  for (const element of Array.from(page.querySelectorAll(surroundings))) element.remove();
  return page.body;
}
