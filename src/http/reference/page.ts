import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type ErrorCode, errorStatus } from "../../lib/errors.ts";
import { html, type Markup } from "../../lib/html.ts";
import type { OpenApiDocument } from "../openapi-document.ts";
import { type Entry, entriesOf, operationArticle } from "./operations.ts";
import { inline, prose } from "./prose.ts";
import { shapeSections } from "./shapes.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const style = read("page.css");
const script = read("filter.js");
const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page has all that it needs: it loads nothing, and sends nothing. */
export const referencePolicy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The document for people: one page without dependencies, whose only script filters it. A pure function. */
export function referencePage(document: OpenApiDocument): string {
  const shown = new Set<string>();
  const topics = topicsOf(document);
  const articles = topics.map((topic) => section(document, topic, shown));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Longshore API</title>
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Endpoints">
<p class="title"><a href="#content">Longshore API</a></p>
<div id="search" hidden><label for="filter">Filter</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><p id="count" role="status"></p></div>
${topics.map(links)}
<h2><a href="#shapes">Shapes</a></h2>
</nav>
<main id="content" tabindex="-1">
<header><h1>Longshore API</h1>
${prose(document.info.description)}
<p>In the examples, <code>$URL</code> is the address of this service and <code>$TOKEN</code> a token. For programs, all of this page is in the <a href="/api/v1/openapi.json">OpenAPI document</a>.</p>
${refusals(document)}</header>
${articles}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2><p>Records and answers, by name.</p>
${shapeSections(document, shown)}
</section>
</main>
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;
}

interface Topic {
  name: string;
  description: string;
  entries: Entry[];
}

function topicsOf(document: OpenApiDocument): Topic[] {
  const entries = entriesOf(document);
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

const links = ({
  name,
  entries,
}: Topic): Markup => html`<div class="topic"><h2><a href="#${name}">${titleOf(name)}</a></h2><ul>${entries.map(
  ({ method, path, operation }) =>
    html`<li data-words="${method} ${path} ${operation.summary}"><a href="#${operation.operationId}"><span class="${method.toLowerCase()}">${method}</span> ${operation.summary}</a></li>`,
)}</ul></div>
`;

const section = (document: OpenApiDocument, { name, description, entries }: Topic, shown: Set<string>): Markup =>
  html`<section aria-labelledby="${name}"><h2 id="${name}">${titleOf(name)}</h2><p>${inline(description)}.</p>
${entries.map((entry) => operationArticle(document, entry, shown))}
</section>
`;

const refusals = ({ components }: OpenApiDocument): Markup =>
  html`<h2>Refusals that every request can get</h2><ul>${Object.entries(components.responses).flatMap(
    ([code, { description }]) =>
      code in errorStatus
        ? [html`<li><b class="refusal">${errorStatus[code as ErrorCode]}</b> ${inline(description)}</li>`]
        : [],
  )}</ul>`;
