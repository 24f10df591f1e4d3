import type { Media, OpenApiDocument, Operation, Parameter, Reference, Response } from "../openapi.ts";
import { Html, highlighted, html, inline, prose } from "./html.ts";
import { type DocumentedSchema, fieldsOf, typeOf } from "./schema.ts";

/** An operation with where it is found. */
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export interface PageAssets {
  style: string;
  script: string;
}

/** The readable form of the document: one page that needs nothing from anywhere else. A pure function. */
export function docsPage(document: OpenApiDocument, { style, script }: PageAssets): string {
  const sections = document.tags.map((tag) => ({ ...tag, entries: entriesOf(document, tag.name) }));
  const title = `${document.info.title} API`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Endpoints">
  <header>
    <a class="brand" href="#top">${title}</a>
    <button id="theme" type="button" title="Light or dark (t)" aria-label="Switch between light and dark">◐</button>
  </header>
  <div class="search">
    <input id="search" type="search" placeholder="Search endpoints" aria-label="Search endpoints" autocomplete="off" spellcheck="false">
    <kbd>/</kbd>
  </div>
  <div id="toc" class="toc">${sections.map(tocSection)}</div>
  <p id="nothing" class="nothing" hidden>Nothing matches.</p>
  <footer><kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>t</kbd> theme</footer>
</nav>
<main id="content" tabindex="-1">
  <article id="top" class="intro">
    <h1>${title}</h1>
    ${prose(document.info.description)}
    <p><a href="/api/v1/openapi.json">OpenAPI 3.1 document</a></p>
  </article>
  ${sections.map((section) => sectionOf(document, section))}
</main>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

const entriesOf = (document: OpenApiDocument, tag: string): Entry[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

interface Section {
  name: string;
  description: string;
  entries: Entry[];
}

const titleOf = (tag: string): string => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll("-", " ")}`;

const tocSection = ({ name, entries }: Section): Html =>
  html`<section><h2>${titleOf(name)}</h2><ul>${entries.map(tocItem)}</ul></section>`;

const tocItem = ({ method, path, operation }: Entry): Html =>
  html`<li><a href="#${operation.operationId}" data-text="${`${method} ${path} ${operation.summary}`.toLowerCase()}"
    ><span class="method ${method}">${method}</span><span class="summary">${operation.summary}</span></a></li>`;

const sectionOf = (document: OpenApiDocument, { name, description, entries }: Section): Html =>
  html`<section class="tag"><h2 id="tag-${name}">${titleOf(name)}</h2><p class="lead">${description}</p>
  ${entries.map((entry) => article(document, entry))}</section>`;

// One operation --------------------------------------------------------------------------------------------------------------

function article(document: OpenApiDocument, entry: Entry): Html {
  const { method, path, operation } = entry;
  const permission = operation["x-permission"];
  return html`<article id="${operation.operationId}" tabindex="-1">
  <div class="words">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="address"><span class="method ${method}">${method}</span> <code>${path}</code>
      <span class="permission" title="What the caller needs">${permissionLabel(permission)}</span></p>
    ${prose(operation.description ?? "")}
    ${parametersOf(document, operation)}
    ${bodyOf(operation)}
    ${answersOf(document, operation)}
  </div>
  <div class="code">
    ${codeBlock("Request", html`${curlOf(entry)}`)}
    ${exampleAnswers(operation)}
  </div>
</article>`;
}

const permissionLabel = (permission: string): string =>
  permission === "public" ? "no token" : permission === "any" ? "any token" : permission;

function parametersOf(document: OpenApiDocument, operation: Operation): Html | undefined {
  const parameters = operation.parameters.map((each) => resolved<Parameter>(document, each));
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4><ul class="fields">${parameters.map(
    (each) =>
      html`<li><code class="name">${each.name}</code> <span class="type">${each.in}, ${typeOf(
        each.schema as DocumentedSchema,
      )}</span>${each.required ? "" : html` <span class="optional">optional</span>`}${
        each.description ? html` <span class="about">${inline(each.description)}</span>` : ""
      }</li>`,
  )}</ul>`;
}

function bodyOf({ requestBody }: Operation): Html | undefined {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema as DocumentedSchema | undefined;
  return schema && html`<h4>Body</h4>${fieldsOf(schema) ?? html`<p class="type">${typeOf(schema)}</p>`}`;
}

function answersOf(document: OpenApiDocument, { responses }: Operation): Html {
  const answers = Object.entries(responses).map(([status, each]) => ({
    status,
    response: resolved<Response>(document, each),
  }));
  return html`<h4>Answers</h4><ul class="answers">${answers.map(({ status, response }) => answer(status, response))}</ul>`;
}

function answer(status: string, { description, content }: Response): Html {
  const [[type, media] = ["", undefined]] = Object.entries(content) as [string, Media][];
  const isSuccess = status.startsWith("2");
  const fields = isSuccess && media ? fieldsOf(media.schema as DocumentedSchema) : undefined;
  const note = isSuccess && type !== "application/json" ? html` <span class="type">${type}</span>` : "";
  const head = html`<span class="status ${isSuccess ? "good" : "bad"}">${status}</span> ${inline(description)}${note}`;
  return fields ? html`<li><details><summary>${head}</summary>${fields}</details></li>` : html`<li>${head}</li>`;
}

function resolved<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  const reference = (value as Reference).$ref;
  if (reference === undefined) return value as Value;
  const [, ...path] = reference.split("/");
  return path.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document) as Value;
}

// Examples -------------------------------------------------------------------------------------------------------------------

const codeBlock = (title: string, content: Html): Html =>
  html`<figure><figcaption>${title}<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0">${content}</pre></figure>`;

function curlOf({ method, path, operation }: Entry): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleFor(operation, name)));
  const body = operation.requestBody?.content["application/json"]?.example;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$LONGSHORE${address}"`,
    ...(operation["x-permission"] === "public" ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["--json @- <<'JSON'"]),
  ];
  const command = lines.join(" \\\n  ");
  return body === undefined ? command : `${command}\n${JSON.stringify(body, null, 2)}\nJSON`;
}

const exampleFor = (operation: Operation, name: string): unknown =>
  operation.parameters.find((each): each is Parameter => "name" in each && each.name === name)?.example ?? name;

const exampleAnswers = ({ responses }: Operation): Html[] =>
  Object.entries(responses)
    .filter((each): each is [string, Response] => each[0].startsWith("2") && "content" in each[1])
    .slice(0, 1)
    .flatMap(([status, { content }]) =>
      Object.values(content).map(({ example }) => codeBlock(status, highlighted(example))),
    );
