import { type Html, html, inline } from "./html.ts";

/** The parts of JSON Schema that the document uses. */
export interface DocumentedSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: DocumentedSchema[];
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  items?: DocumentedSchema;
  additionalProperties?: boolean | DocumentedSchema;
  description?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

/** The fields of a schema as a list, objects within objects. Undefined when it has none. */
export function fieldsOf(schema: DocumentedSchema): Html | undefined {
  if (schema.items) return fieldsOf(schema.items);
  const variants = (schema.anyOf ?? []).filter((variant) => variant.properties);
  if (variants.length > 1) {
    return html`${variants.map((variant, at) => html`<p class="variant">Variant ${at + 1}</p>${fieldsOf(variant)}`)}`;
  }
  const { properties, required = [] } = variants[0] ?? schema;
  if (!properties || Object.keys(properties).length === 0) return undefined;
  const fields = Object.entries(properties);
  return html`<ul class="fields">${fields.map(([name, field]) => fieldItem(name, field, required.includes(name)))}</ul>`;
}

function fieldItem(name: string, schema: DocumentedSchema, isRequired: boolean): Html {
  const inner = fieldsOf(schema);
  const head = html`<code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
    isRequired ? "" : html` <span class="optional">optional</span>`
  }${schema.description ? html` <span class="about">${inline(schema.description)}</span>` : ""}`;
  return inner ? html`<li><details><summary>${head}</summary>${inner}</details></li>` : html`<li>${head}</li>`;
}

/** `string, 1 to 100 characters`, `integer or null`, `0 | 1 | 2`, `list of integers`. */
export function typeOf(schema: DocumentedSchema): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items)}${bounds(schema.minItems, schema.maxItems, " entries")}`;
  const name = [schema.type ?? "anything"].flat().join(" or ");
  return `${name}${bounds(schema.minLength, schema.maxLength, " characters")}${range(schema)}`;
}

/** The largest id is not worth showing. */
const range = ({ minimum, maximum }: DocumentedSchema): string =>
  maximum === Number.MAX_SAFE_INTEGER ? "" : bounds(minimum, maximum, "");

function bounds(low: number | undefined, high: number | undefined, unit: string): string {
  if (low === undefined && high === undefined) return "";
  if (high === undefined) return `, at least ${low}${unit}`;
  return low === undefined ? `, up to ${high}${unit}` : `, ${low} to ${high}${unit}`;
}
