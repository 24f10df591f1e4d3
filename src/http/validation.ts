import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import type { FieldErrors } from "../lib/errors.ts";
import { lazy } from "../lib/lazy.ts";
import { isRecord, type Schema } from "./json-schema.ts";
import { maxId } from "./schemas.ts";
import { removeUnknownFields, type UnknownFields, unknownParameters } from "./unknown-fields.ts";

// TypeBox reports 8 errors by default; all invalid fields must be reported at once.
Settings.Set({ maxErrors: 1_000 });

/** No stored or returned value is nested deeper; deeper bodies are only attacks on recursive code. */
const maxDepth = 64;

/** The parsed value; with errors it lacks the invalid fields, and the entries of lists that are invalid or have invalid fields. */
export interface Parsed {
  value: unknown;
  errors?: FieldErrors;
  /** The field of the received value that a field of `value` was: entries after one that is left out have moved. */
  receivedField?: (field: string) => string;
  /** The fields of a body that the schema does not have; `value` lacks them. */
  unknown?: UnknownFields;
}

export interface Parser {
  /** For bodies: types are not converted, and unknown fields are removed from the given value. */
  parse(value: unknown): Parsed;
  /**
   * For queries: texts are read as the types in the schema, an empty parameter counts as omitted, and an unknown one is an
   * error.
   */
  parseText(value: unknown): Parsed;
}

/**
 * Creates the parser for values of one schema, which is compiled for the first value. The result has no unknown fields and
 * contains no text that PostgreSQL refuses (NUL, half of a surrogate pair); otherwise there is one sentence for each invalid
 * field, under its dotted name.
 */
export function parserOf(type: TSchema): Parser {
  const compiled = lazy(() => Compile(type));
  const schema = type as Schema;
  const check = (value: unknown): Parsed => {
    const errors: FieldErrors = {};
    if (!compiled().Check(value)) collectSchemaErrors(compiled().Errors(value), schema, errors);
    collectTextErrors(value, schema, [], errors);
    return Object.keys(errors).length > 0 ? { ...withoutFields(value, Object.keys(errors)), errors } : { value };
  };
  return {
    parse: (given) => {
      if (isTooDeep(given, 0)) return { value: {}, errors: { body: "The body is nested too deeply." } };
      const unknown = removeUnknownFields(given, schema);
      return unknown ? { ...check(given), unknown } : check(given);
    },
    parseText: (given) => {
      const { properties = {} } = schema;
      const parameters = withoutBrackets(given as Record<string, unknown>, properties);
      const unknown = unknownParameters(parameters, properties);
      const parsed = check(readTexts(parameters, properties));
      return unknown ? { ...parsed, errors: { ...unknown, ...parsed.errors } } : parsed;
    },
  };
}

/** Many clients send a list as `name[]=one&name[]=other`. */
function withoutBrackets(given: Record<string, unknown>, properties: Record<string, Schema>): Record<string, unknown> {
  // A parameter may be called __proto__.
  const named: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/\[\]$/, "");
    const isOfList = Object.hasOwn(properties, name) && properties[name]?.type === "array";
    if (isOfList) named[name] = [named[name] ?? [], value].flat();
    else named[key] = value;
  }
  return named;
}

/**
 * The parameters of a query with the values that their texts stand for. A text that does not stand for its type stays a text, which
 * the schema refuses. An empty one is left out, unless its schema has `minLength: 0`.
 */
function readTexts(given: Record<string, unknown>, properties: Record<string, Schema>): unknown {
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema || (text === "" && schema.minLength !== 0)) continue;
    const value = readText(text, schema);
    if (!Array.isArray(value) || value.length > 0) read[name] = value;
  }
  return read;
}

// A parameter that is sent twice is a list; so are values between commas, where the schema has a list.
function readText(text: unknown, { type, items = {} }: Schema): unknown {
  if (type === "array") {
    const texts = [text].flat().flatMap((each) => String(each).split(","));
    return texts.filter((each) => each !== "").map((each) => readText(each, items));
  }
  if (typeof text !== "string") return text;
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false|1|0)$/.test(text)) return text === "true" || text === "1";
  return text;
}

/** What of the value is valid: without these fields. Of a list only the entries with such a field are left out. */
function withoutFields(value: unknown, fields: readonly string[]): Omit<Parsed, "errors"> {
  // Code that checks for more errors needs an object, even when the client sent another type.
  if (!isRecord(value)) return { value: {} };
  const left = structuredClone(value);
  const lists = new Map<string, Set<number>>();
  for (const field of fields) removeField(left, field.split("."), lists);
  for (const [path, positions] of lists) removeEntries(left, path.split("."), positions);
  return lists.size === 0 ? { value: left } : { value: left, receivedField: (field) => receivedField(field, lists) };
}

/** Removes the field, or adds the entry that contains it to those that are to be removed. */
function removeField(from: Record<string, unknown>, path: readonly string[], lists: Map<string, Set<number>>): void {
  let inner: unknown = from;
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(inner)) {
      const list = path.slice(0, depth).join(".");
      lists.set(list, (lists.get(list) ?? new Set()).add(Number(name)));
      return;
    }
    const object = inner as Record<string, unknown>;
    if (depth === path.length - 1 || typeof object[name] !== "object" || object[name] === null) {
      delete object[name];
      return;
    }
    inner = object[name];
  }
}

/** Nothing to do when an error of the list as a whole has removed it. */
function removeEntries(from: Record<string, unknown>, path: readonly string[], positions: ReadonlySet<number>): void {
  const name = path.at(-1) ?? "";
  const parent = path.slice(0, -1).reduce<unknown>((inner, part) => (isRecord(inner) ? inner[part] : undefined), from);
  if (!isRecord(parent) || !Array.isArray(parent[name])) return;
  parent[name] = parent[name].filter((_, position) => !positions.has(position));
}

function receivedField(field: string, lists: ReadonlyMap<string, ReadonlySet<number>>): string {
  for (const [path, removed] of lists) {
    const [, position, rest = ""] =
      (field.startsWith(`${path}.`) && /^(\d+)(\..*)?$/.exec(field.slice(path.length + 1))) || [];
    if (position !== undefined) return `${path}.${receivedPosition(Number(position), removed)}${rest}`;
  }
  return field;
}

function receivedPosition(position: number, removed: ReadonlySet<number>): number {
  let received = position;
  for (const each of [...removed].sort((one, other) => one - other)) if (each <= received) received++;
  return received;
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= maxDepth) return true;
  return Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
}

// Errors of the schema -------------------------------------------------------------------------------------------------

function collectSchemaErrors(found: TLocalizedValidationError[], root: Schema, errors: FieldErrors): void {
  for (const error of found) {
    const path = error.instancePath.split("/").slice(1).map(unescapePointer);
    if (isOtherVariant(error) || (error.keyword === "anyOf" && hasErrorWithin(errors, path))) continue;
    const schema = schemaAt(root, path);
    if (error.keyword === "required") {
      for (const name of error.params.requiredProperties) {
        reportMissing(schemaAt(root, [...path, name]), [...path, name], errors);
      }
    } else {
      report(errors, path, schema?.errorMessage ?? sentence(error, labelOf(schema, path), schema));
    }
  }
}

/**
 * A union reports errors for each of its variants. That the value fits no variant's type is reported once, by the union
 * itself.
 */
const isOtherVariant = (error: TLocalizedValidationError): boolean =>
  /\/anyOf\/\d+$/.test(error.schemaPath) && ["type", "const", "enum", "not"].includes(error.keyword);

function hasErrorWithin(errors: FieldErrors, path: string[]): boolean {
  const field = path.join(".");
  return Object.keys(errors).some((known) => known === field || known.startsWith(`${field}.`));
}

/** A missing object is reported as its missing fields, since the caller has to send those. */
function reportMissing(schema: Schema | undefined, path: string[], errors: FieldErrors): void {
  const inner = schema?.required ?? [];
  if (inner.length === 0) report(errors, path, `${clause(labelOf(schema, path), "is")} required.`);
  for (const name of inner) reportMissing(schema?.properties?.[name], [...path, name], errors);
}

function report(errors: FieldErrors, path: string[], message: string): void {
  const field = path.join(".") || "body";
  if (!Object.hasOwn(errors, field)) Object.defineProperty(errors, field, { value: message, enumerable: true });
}

const unescapePointer = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

function schemaAt(root: Schema, path: readonly string[]): Schema | undefined {
  let schema: Schema | undefined = root;
  for (const part of path) {
    const object: Schema | undefined = variantWith(schema, /^\d+$/.test(part) ? "items" : "properties");
    const fields: Record<string, Schema> = object?.properties ?? {};
    // All fields of a record have one schema.
    const ofRecord: Schema | undefined = Object.values(schema?.patternProperties ?? {})[0];
    schema = object?.items ?? (Object.hasOwn(fields, part) ? fields[part] : ofRecord);
  }
  return schema;
}

const variantWith = (schema: Schema | undefined, key: "items" | "properties"): Schema | undefined =>
  schema?.[key] ? schema : schema?.anyOf?.find((variant) => variant[key]);

function labelOf(schema: Schema | undefined, path: readonly string[]): string {
  if (path.length === 0) return "The body";
  const title = schema?.title ?? schema?.anyOf?.find((variant) => variant.title)?.title;
  if (title) return `The ${title}`;
  const last = path.at(-1) ?? "";
  if (/^\d+$/.test(last)) return `Entry ${Number(last) + 1} of ${path.at(-2)?.replaceAll("_", " ") ?? "the list"}`;
  if (noNoun.test(last)) return `The field ${last}`;
  return `The ${last
    .replace(/_seconds$/, " in seconds")
    .replace(/_mb$/, " in MB")
    .replaceAll("_", " ")}`;
}

/** Names with which "The …" would begin no sentence. */
const noNoun = /(^|_)(is|at|to|on|from|after|all)(_|$)|^(always|confirm|empty|force|include|keep)(_|$)/;

/** A label and its verb, which a plural such as "The permissions" changes. Units and "Entry 2 of ids" are no plurals. */
function clause(label: string, verb: keyof typeof pluralVerbs): string {
  const isPlural = /[^aiosu]s$/.test(label) && !/^The field | in seconds$| of /.test(label);
  return `${label} ${isPlural ? pluralVerbs[verb] : verb}`;
}

const pluralVerbs = { is: "are", does: "do", holds: "hold" };

function sentence(error: TLocalizedValidationError, label: string, schema: Schema | undefined): string {
  switch (error.keyword) {
    case "type":
      return `${label} must be ${kindOf(schema)}.`;
    case "minLength":
      return Number(error.params.limit) === 1
        ? `${clause(label, "is")} required.`
        : `${label} must have at least ${error.params.limit} characters.`;
    case "maxLength":
      return `${label} must have at most ${error.params.limit} characters.`;
    case "minimum":
      if (isId(schema)) return `${clause(label, "does")} not exist.`;
      return `${withoutUnit(label)} must be at least ${withUnit(error.params.limit, label)}.`;
    case "maximum":
      return `${withoutUnit(label)} must be at most ${withUnit(error.params.limit, label)}.`;
    case "minItems":
      return `${label} must have at least ${count(error.params.limit, "entry", "entries")}.`;
    case "maxItems":
      return `${label} must have at most ${count(error.params.limit, "entry", "entries")}.`;
    case "uniqueItems":
      return `${label} must not hold the same entry twice.`;
    case "enum":
    case "const":
    case "anyOf":
      return `${label} must be ${kindOf(schema)}.`;
    case "not":
    case "boolean":
    case "additionalProperties":
      return `${clause(label, "is")} not accepted here.`;
    default:
      return schema?.pattern === "\\S" ? `${clause(label, "is")} required.` : `${clause(label, "is")} not valid.`;
  }
}

const unit = / in (seconds|MB)$/;

const withoutUnit = (label: string): string => label.replace(unit, "");

/** "60 seconds", "604800 seconds (7 days)": of a limit, for those who think in other units than the field has. */
function withUnit(limit: unknown, label: string): string {
  const [, name] = unit.exec(label) ?? [];
  const text = [limit, name].filter((part) => part !== undefined).join(" ");
  const hours = name === "seconds" ? Number(limit) / 3_600 : 0;
  if (!Number.isInteger(hours) || hours === 0) return text;
  return `${text} (${hours % 24 === 0 ? count(hours / 24, "day", "days") : count(hours, "hour", "hours")})`;
}

const isId = (schema: Schema | undefined): boolean => schema?.minimum === 1 && schema.maximum === maxId;

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

const kinds: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function kindOf(schema: Schema | undefined): string {
  const words = kindsOf(schema);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function kindsOf(schema: Schema | undefined): string[] {
  if (schema?.enum) return schema.enum.map(String);
  if (schema?.const !== undefined) return [String(schema.const)];
  if (schema?.anyOf) return [...new Set(schema.anyOf.flatMap(kindsOf))];
  return [schema?.type ?? "object"].flat().map((type) => kinds[type] ?? type);
}

// Errors of text -------------------------------------------------------------------------------------------------------

/** Finds text that JSON can represent and PostgreSQL cannot store. isTooDeep limits the depth. */
function collectTextErrors(value: unknown, root: Schema, path: string[], errors: FieldErrors): void {
  if (typeof value === "string") {
    if (isStorable(value)) return;
    report(errors, path, `${clause(labelOf(schemaAt(root, path), path), "holds")} a character that cannot be stored.`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (isStorable(key)) collectTextErrors(inner, root, [...path, key], errors);
      else report(errors, path, "A key holds a character that cannot be stored.");
    }
  }
}

const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

// Path parameters --------------------------------------------------------------------------------------------------------

/**
 * Reads the parameters of a path: integers as canonical decimals, everything by the schema. Undefined for invalid ones, such as an
 * id that no record can have.
 */
export function pathReaderOf(type: TSchema): (given: unknown) => unknown {
  const compiled = lazy(() => Compile(type));
  const properties = (type as Schema).properties ?? {};
  return (given) => {
    const value: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(given as Record<string, string>)) {
      if (!isStorable(text)) return undefined;
      const isInteger = properties[name]?.type === "integer";
      value[name] = isInteger ? (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined) : text;
    }
    return compiled().Check(value) ? value : undefined;
  };
}
