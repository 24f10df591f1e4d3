import { html, type Markup } from "../../lib/html.ts";
import type { OpenApiDocument, Schema } from "../openapi-document.ts";
import { maxId } from "../schemas.ts";
import { inline } from "./prose.ts";

// Schemas as tables for people.

export const anchorOf = (name: string): string => `shape-${name}`;

/** The parts of a list with a text between them. */
export const joined = (parts: readonly Markup[], between: string): Markup[] =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [html`${between}`, part]));

export const nameIn = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

/** What a value can be: `integer, 1 to 100`. */
export function typeOf(schema: Schema): Markup {
  if (schema.$ref) return html`<a href="#${anchorOf(nameIn(schema))}">${nameIn(schema)}</a>`;
  if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return html`${joined(schema.enum.map(literal), ", ")}`;
  if (schema.anyOf) return html`${joined(schema.anyOf.map(typeOf), " or ")}`;
  if (schema.allOf) return html`${joined(schema.allOf.map(typeOf), " with ")}`;
  const types = [schema.type ?? "any value"].flat();
  if (types.includes("array")) return html`list of ${typeOf(schema.items ?? {})}${orNull(types)}`;
  return html`${types.filter((type) => type !== "null").join(" or ")}${limitsOf(schema)}${orNull(types)}`;
}

const literal = (value: unknown): Markup => html`<code>${JSON.stringify(value)}</code>`;

const orNull = (types: readonly string[]): string => (types.length > 1 && types.includes("null") ? " or null" : "");

function limitsOf({ minimum, maximum, minLength, maxLength }: Schema): string {
  if (maximum !== undefined && maximum < maxId) {
    return minimum === undefined ? `, at most ${number(maximum)}` : `, ${number(minimum)} to ${number(maximum)}`;
  }
  if (maxLength === undefined) return "";
  if (minLength !== undefined && minLength > 1) return `, ${number(minLength)} to ${number(maxLength)} characters`;
  return maxLength === 0 ? ", empty" : `, at most ${number(maxLength)} characters`;
}

const number = (value: number): string => value.toLocaleString("en-US");

interface Row {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** The fields of a schema, with those of objects inside it that have no name. */
function rowsOf({ properties = {}, required = [], allOf = [] }: Schema, prefix = ""): Row[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    { name: prefix + name, schema, isRequired: required.includes(name) },
    ...rowsOf(schema, `${prefix}${name}.`),
    ...rowsOf(schema.items ?? {}, `${prefix}${name}[].`),
  ]);
  return [...allOf.flatMap((part) => rowsOf(part, prefix)), ...own];
}

const rowOf = ({ name, schema, isRequired }: Row): Markup =>
  html`<tr><th scope="row"><code>${name}</code>${isRequired && html` <b class="required">required</b>`}</th><td>${typeOf(schema)}</td><td>${inline(schema.description ?? "")}</td></tr>`;

/** A table of the fields; undefined for a schema without any. */
export function fieldTable(schema: Schema, caption: string): Markup | undefined {
  const rows = rowsOf(schema);
  return rows.length === 0 ? undefined : table(caption, rows.map(rowOf));
}

const table = (caption: string, rows: readonly Markup[]): Markup =>
  html`<table><caption>${caption}</caption><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;

export const parameterTable = (caption: string, rows: readonly Row[]): Markup => table(caption, rows.map(rowOf));

/** The other shapes that a shape is made of, or can be. */
export function partsOf({ allOf = [], anyOf = [] }: Schema): Markup | undefined {
  const all = allOf.filter(({ $ref }) => $ref !== undefined);
  if (all.length > 0)
    return html`<p>The fields of ${joined(all.map(typeOf), " and ")}${allOf.length > all.length && ", and:"}</p>`;
  return anyOf.length === 0 ? undefined : html`<p>One of ${joined(anyOf.map(typeOf), ", ")}.</p>`;
}

/** Every named schema that is not shown with a request. */
export function shapeSections({ components }: OpenApiDocument, shown: ReadonlySet<string>): Markup[] {
  return Object.entries(components.schemas)
    .filter(([name]) => !shown.has(name))
    .map(([name, schema]) => html`<article id="${anchorOf(name)}"><h3>${name}</h3>${shapeOf(name, schema)}</article>`);
}

export const shapeOf = (name: string, schema: Schema): Markup =>
  html`${schema.description !== undefined && html`<p>${inline(schema.description)}.</p>`}${partsOf(schema)}${fieldTable(schema, `Fields of ${name}`) ?? (schema.type !== "object" && !schema.allOf && !schema.anyOf && html`<p>${typeOf(schema)}</p>`)}`;
