import { errorStatus } from "../../lib/errors.ts";
import { html, type Markup } from "../../lib/html.ts";
import type { Media, OpenApiDocument, Operation, Parameter, Reference, Response, Schema } from "../openapi-document.ts";
import { prose } from "./prose.ts";
import { anchorOf, nameIn, parameterTable, shapeOf, typeOf } from "./shapes.ts";

export interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export const entriesOf = ({ paths }: OpenApiDocument): Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** One operation for people; `shown` receives the names of the shapes that it shows. */
export function operationArticle(document: OpenApiDocument, entry: Entry, shown: Set<string>): Markup {
  const { method, path, operation } = entry;
  const words = `${method} ${path} ${operation.summary}`;
  return html`<article id="${operation.operationId}" data-words="${words}"><h3>${operation.summary}</h3>
<p class="line"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${prose(operation.description ?? "")}
${parametersOf(document, operation)}
${bodyOf(document, operation, shown)}
${request(entry)}
${Object.entries(operation.responses).flatMap(([status, response]) => answerOf(status, response, document) ?? [])}
</article>`;
}

function parametersOf(document: OpenApiDocument, { parameters }: Operation): Markup | undefined {
  const own = parameters
    .map((each) => resolved(document, each))
    // Those of all requests are in the introduction.
    .filter(({ in: place, name }) => place !== "header" && name !== "organization");
  const rows = own.map(({ name, in: place, required, description, schema }) => ({
    name: place === "path" ? `{${name}}` : name,
    schema: { ...schema, description },
    isRequired: required,
  }));
  return rows.length === 0 ? undefined : parameterTable("Parameters of the address", rows);
}

function resolved(document: OpenApiDocument, each: Parameter | Reference): Parameter {
  if (!("$ref" in each)) return each;
  return document.components.parameters[nameIn(each)] as Parameter;
}

function bodyOf(document: OpenApiDocument, { requestBody }: Operation, shown: Set<string>): Markup | undefined {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || media === undefined) return undefined;
  if (type !== "application/json")
    return html`<h4>Body</h4><p>${type === "*/*" ? "Of any type" : html`<code>${type}</code>`}</p>`;
  const name = nameIn(media.schema);
  const schema = document.components.schemas[name];
  if (schema === undefined || shown.has(name)) return html`<h4>Body</h4><p>${typeOf(media.schema as Schema)}</p>`;
  shown.add(name);
  return html`<div id="${anchorOf(name)}"><h4>Body: ${name}</h4>${shapeOf(name, schema)}</div>`;
}

function request({ method, path, operation }: Entry): Markup {
  const { "x-permission": permission, requestBody } = operation;
  const example = requestBody?.content["application/json"]?.example;
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$URL${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}"`,
    permission !== "public" && '-H "Authorization: Bearer $TOKEN"',
    example !== undefined && `-H "Content-Type: application/json" -d ${quoted(text(example))}`,
  ];
  return html`<h4>Request</h4><pre>${parts.filter(Boolean).join(" \\\n  ")}</pre>`;
}

const quoted = (json: string): string => `'${json.replaceAll("'", `'\\''`)}'`;

const text = (example: unknown): string => JSON.stringify(example, null, 2);

/** Refusals that all operations have are in the introduction, and so is the answer to a repetition. */
function answerOf(status: string, answer: Response | Reference, { components }: OpenApiDocument): Markup | undefined {
  const response = "$ref" in answer ? components.responses[nameIn(answer)] : answer;
  if (!response || ("$ref" in answer && (status < "400" || nameIn(answer) in errorStatus))) return undefined;
  const [media] = Object.values(response.content);
  if (!status.startsWith("2")) return html`<p><b class="refusal">${status}</b> ${response.description}</p>`;
  return html`<h4>Answer ${status}</h4>${media && answerBody(media)}`;
}

const answerBody = ({ schema, example }: Media): Markup =>
  html`<p>${typeOf(schema as Schema)}</p>${example !== undefined && html`<details><summary>Example of the answer</summary><pre>${text(example)}</pre></details>`}`;
