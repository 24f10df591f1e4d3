import fc from "fast-check";
import type { Schema } from "../src/http/openapi-document.ts";
import type { DocumentedOperation } from "./document.ts";

// Random requests, generated from the document's description of an operation: some valid, some with one invalid field,
// some meant to break their parser.

/** One request; the records that it names by id are chosen when it is sent. */
export interface RandomRequest {
  operation: DocumentedOperation;
  caller: number;
  /** Takes path and body from the route's fixture, so that changing requests succeed too. */
  fromFixture: boolean;
  params: Record<string, unknown>;
  query: string;
  headers: Record<string, string>;
  /** Undefined: no body. */
  body: string | undefined;
}

/** Stands for the id of one of the available records. */
export interface SomeId {
  pick: number;
}

/** The file that the commands among the texts would create, if something ran them. */
export const traceOfCommands = "/tmp/longshore-was-here";

const texts = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "‮gnp.exe",
  "é́́́ 𝕳𝖊𝖑𝖑𝖔 👩‍👩‍👧‍👦 مرحبا",
  "﻿bom",
  "'; drop table servers; --",
  "' or '1'='1",
  "1; select pg_sleep(60)",
  "%27%20or%201=1",
  `$(touch ${traceOfCommands})`,
  `\`touch ${traceOfCommands}\``,
  `; touch ${traceOfCommands} #`,
  "a\nb\r\nX-Injected: yes",
  "../../../../etc/passwd",
  "/etc/passwd",
  "file:///etc/passwd",
  "ext::sh -c id",
  `--upload-pack=touch ${traceOfCommands}`,
  "http://169.254.169.254/latest/meta-data",
  "<script>alert(1)</script>",
  "$".concat("{7*7} {{7*7}} %s%n%x"),
  "__proto__",
  "constructor",
  "toString",
  "NaN",
  "undefined",
  "null",
  "true",
  "-1",
  "1e309",
  "",
  " ",
  "\t",
  "a".repeat(300),
  "ä".repeat(20_000),
] as const;

const numbers = [0, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e18, 1e308, Number.MIN_VALUE, -0];

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

const values: unknown[] = [
  null,
  true,
  false,
  {},
  [],
  [[]],
  [null],
  nested(70),
  nested(2_000),
  { __proto__: null, toString: "x", constructor: { prototype: { admin: true } } },
  JSON.parse('{"__proto__": {"admin": true}}'),
  { length: 1e9 },
  Array.from({ length: 2_000 }, (_, at) => at),
];

const hostileText = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: "binary", maxLength: 40 }));
const hostileValue = fc.oneof(hostileText, fc.constantFrom(...numbers), fc.constantFrom(...values), fc.jsonValue());

/** Every tenth value violates the schema. */
const mostly = (valid: fc.Arbitrary<unknown>, hostile: fc.Arbitrary<unknown> = hostileValue): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: hostile });

function arbitraryOf(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  if ("const" in schema) return mostly(fc.constant(schema.const));
  if (schema.enum) return mostly(fc.constantFrom(...schema.enum));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((variant) => arbitraryOf(variant, name)));
  const types = [schema.type].flat();
  return mostly(fc.oneof(...types.map((type) => arbitraryOfType(type, schema, name))));
}

function arbitraryOfType(type: string | undefined, schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objectOf(schema);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}, name.replace(/s$/, "")), { maxLength: 4 });
    case "integer":
    case "number":
      return integerOf(schema, name);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return fc.oneof(plausibleText(schema), fc.string({ maxLength: 30 }));
    default:
      return fc.jsonValue();
  }
}

/** Values that the schema accepts, and that pass some of the checks behind it. */
const plausibleText = ({ pattern }: Schema): fc.Arbitrary<string> =>
  pattern === undefined ? fc.constantFrom(...plausible) : fc.stringMatching(new RegExp(pattern));

const plausible = [
  "shop",
  "main",
  "1",
  "shop.example.com",
  "203.0.113.10",
  "https://git.example.com/acme/shop.git",
  "alice@example.com",
  "Europe/Berlin",
  "npm run build",
  "*/5 * * * *",
  "512MB",
  "2026-03-01T10:20:30Z",
];

const integerOf = ({ minimum = 1, maximum = 100_000 }: Schema, name: string): fc.Arbitrary<unknown> =>
  /(^|_)id$/.test(name) ? someId : fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) });

const someId: fc.Arbitrary<SomeId> = fc.record({ pick: fc.nat() });

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, name)]),
  );
  const extra = fc.dictionary(fc.oneof(hostileText, fc.constantFrom("id", "role", "__proto__")), hostileValue, {
    maxKeys: 2,
  });
  return fc
    .tuple(fc.record(fields, { requiredKeys: required }), fc.option(extra, { freq: 12 }), fc.nat({ max: 20 }))
    .map(([value, more, gone]) => {
      const whole: Record<string, unknown> = { ...value, ...more };
      // Some requests lack required fields.
      const name = required[gone];
      if (name !== undefined) delete whole[name];
      return whole;
    });
}

const malformed = ["{", "", "nul", '{"a":1,}', '"\\ud800"', '{"a":1e400}', "[".repeat(100_000), "\u0000", "﻿{}"];

function bodyOf({ body }: DocumentedOperation): fc.Arbitrary<string | undefined> {
  const asked = body
    ? fc.oneof({ weight: 12, arbitrary: arbitraryOf(body) }, { weight: 1, arbitrary: hostileValue })
    : fc.option(hostileValue, { freq: 4, nil: undefined });
  return fc.oneof(
    { weight: 30, arbitrary: asked.map((value) => (value === undefined ? undefined : JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.constantFrom(...malformed) },
  );
}

function paramsOf({ parameters }: DocumentedOperation): fc.Arbitrary<Record<string, unknown>> {
  const inPath = parameters.filter((each) => each.in === "path");
  // Clients resolve dots, and an empty text makes another path, before any server sees it.
  const text = hostileText.filter((value) => value.isWellFormed() && !/^\.*$/.test(value));
  const values = inPath.map(({ name, schema }) => [
    name,
    fc.oneof(
      { weight: 12, arbitrary: schema.type === "integer" ? someId : plausibleText(schema) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>(...numbers, "1e3", "0x1", "01", "+1", "99999999999999999999") },
      { weight: 1, arbitrary: text },
    ),
  ]);
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>);
}

function queryOf({ parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const inQuery = parameters.filter((each) => each.in === "query");
  // One on average, however many there are: some requests shall succeed.
  const known = inQuery.map(({ name, schema }) => {
    const value = fc.oneof({ weight: 2, arbitrary: arbitraryOf(schema as Schema, name) }, hostileText);
    return fc.oneof(
      { weight: 1, arbitrary: value.map((each) => `${name}=${textOf(each)}`) },
      { weight: inQuery.length, arbitrary: fc.constant("") },
    );
  });
  const odd = fc.constantFrom(
    "",
    "",
    "",
    "",
    "",
    "a=%E0%A4%A",
    "__proto__=1",
    "page[]=1&page[]=2",
    "page=1&page=2",
    "?&&==",
  );
  return fc.tuple(...known, odd).map((parts) => parts.filter((part) => part !== "").join("&"));
}

/** Ids become numbers: a query is text anyway. */
const textOf = (value: unknown): string => {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed());
};

const headers = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.nat({ max: 40 }).map((key) => ({ "idempotency-key": `key-${key}` })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "idempotency-key": "" },
      { "idempotency-key": "k".repeat(300) },
      { "x-organization": "1" },
      { "x-organization": "2" },
      { "x-organization": "0" },
      { "x-organization": "1 or 1=1" },
      { "x-organization": "99999999999999999999" },
      { "x-request-id": "a b\tc" },
      { authorization: "Bearer" },
      { authorization: "Basic YWxpY2U6cGFzc3dvcmQ=" },
      { authorization: `Bearer ${"x".repeat(600)}` },
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=utf-7" },
      { "content-type": "multipart/form-data; boundary=x" },
      { accept: "text/html" },
      { "last-event-id": "-1" },
      { "last-event-id": "99999999999999999999" },
      { "content-length": "5" },
    ),
  },
);

/** Requests to all operations, each as often as the others. */
export const randomRequest = (
  operations: readonly DocumentedOperation[],
  callers: number,
): fc.Arbitrary<RandomRequest> =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      caller: fc.nat({ max: callers - 1 }),
      fromFixture: fc.nat({ max: 3 }).map((quarter) => quarter === 0),
      params: paramsOf(operation),
      query: queryOf(operation),
      headers: headers as fc.Arbitrary<Record<string, string>>,
      body: bodyOf(operation),
    }),
  );
