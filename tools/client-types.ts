import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
} from "../src/http/openapi-document.ts";

/** The types of the client: the named schemas, and each operation of the document with its input and its responses. */
export function clientTypes(document: OpenApiDocument): string {
  const { Error: refusal, ...schemas } = document.components.schemas;
  const sent = onlySent(document);
  const named = Object.entries({ ErrorBody: refusal ?? {}, ...schemas }).map(([name, schema]) =>
    namedType(name, schema, sent.has(name) ? "ReadonlyArray" : "Array"),
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => entry(document, `${method.toUpperCase()} ${path}`, operation)),
  );
  const table = `/** Every operation, under its method and path. */\nexport interface Operations {\n${operations.join("\n")}\n}\n`;
  return [...named, table].join("\n");
}

/** The named schemas of requests that no answer has: a caller may pass them lists that it must not change. */
function onlySent(document: OpenApiDocument): ReadonlySet<string> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const answered = namesIn(document, [operations.map(({ responses }) => responses), document.components.responses]);
  return namesIn(
    document,
    operations.map(({ requestBody }) => requestBody),
  ).difference(answered);
}

/** The names of the schemas that a part of the document refers to, and those that these refer to. */
function namesIn(document: OpenApiDocument, part: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (!found.has(name)) namesIn(document, document.components.schemas[name], found.add(name));
  }
  return found;
}

function namedType(name: string, schema: Schema, list: List): string {
  const about = schema.description ? `/** ${comment(schema.description)} */\n` : "";
  const type = typeOf(schema, "", list);
  const declaration = schema.properties ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  return `${about}export ${declaration}\n`;
}

const indent = "  ";

function entry(document: OpenApiDocument, name: string, operation: Operation): string {
  const { successes, refusals } = statusesOf(operation);
  const fields = {
    params: parametersType(document, operation, "path"),
    query: parametersType(document, operation, "query"),
    body: bodyType(operation),
    success: successes.join(" | "),
    reply: replyType(document, operation),
    // 500 is a bug, so it is not part of the contract, but it can happen.
    refusal: [...refusals, "500"].join(" | "),
  };
  const lines = Object.entries(fields).map(([key, type]) => `${indent}${indent}${key}: ${type};`);
  return `${indent}/** ${comment(operation.summary)} */\n${indent}"${name}": {\n${lines.join("\n")}\n${indent}};`;
}

function statusesOf({ responses }: Operation): { successes: string[]; refusals: string[] } {
  const statuses = Object.keys(responses);
  return {
    successes: statuses.filter((status) => status.startsWith("2")),
    refusals: statuses.filter((status) => !status.startsWith("2")),
  };
}

function parametersType(document: OpenApiDocument, { parameters }: Operation, place: Parameter["in"]): string {
  const mine = parameters.map((each) => resolved<Parameter>(document, each)).filter((each) => each.in === place);
  if (mine.length === 0) return "undefined";
  const properties = Object.fromEntries(
    mine.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  const required = mine.filter((each) => each.required).map(({ name }) => name);
  return typeOf({ type: "object", properties, required }, indent.repeat(2));
}

function bodyType({ requestBody }: Operation): string {
  if (!requestBody) return "undefined";
  const media = requestBody.content["application/json"];
  return media ? typeOf(media.schema, indent.repeat(2), "ReadonlyArray") : "unknown";
}

function replyType(document: OpenApiDocument, { responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  // The answer to a dry run is not the one that the operation is called for.
  const [, success] = successes.find(([, each]) => !JSON.stringify(each).includes('/schemas/Planned"')) ?? [];
  const { content } = resolved<Response>(document, success as Response | Reference);
  const media = content["application/json"];
  return media ? typeOf(media.schema, indent.repeat(2)) : "ReadableStream<Uint8Array>";
}

function resolved<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  const reference = (value as Reference).$ref;
  if (reference === undefined) return value as Value;
  const [, ...path] = reference.split("/");
  return path.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document) as Value;
}

type List = "Array" | "ReadonlyArray";

/** A schema as a TypeScript type; `margin` is the indentation of its lines after the first. */
export function typeOf(schema: Schema, margin: string, list: List = "Array"): string {
  const part = (inner: Schema): string => typeOf(inner, margin, list);
  if (schema.$ref) return schema.$ref.split("/").at(-1) as string;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map(part));
  if (schema.allOf) return schema.allOf.map(part).join(" & ");
  return union([schema.type ?? "unknown"].flat().map((type) => typeNamed(type, schema, { margin, list })));
}

const union = (types: string[]): string => [...new Set(types)].join(" | ");

interface Place {
  margin: string;
  list: List;
}

function typeNamed(type: string, schema: Schema, place: Place): string {
  switch (type) {
    case "object":
      return objectType(schema, place);
    case "array":
      return `${place.list}<${typeOf(schema.items ?? {}, place.margin, place.list)}>`;
    case "integer":
      return "number";
    case "string":
      return textType(schema);
    default:
      return type;
  }
}

/** Texts such as `source_7` have a type of their own. */
function textType({ pattern = "" }: Schema): string {
  const [, prefix] = /^\^(\w+)\[1-9\]\[0-9\]\{0,\d+\}\$$/.exec(pattern) ?? [];
  return prefix === undefined ? "string" : `\`${prefix}\${number}\``;
}

function objectType(schema: Schema, { margin, list }: Place): string {
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties);
  if (entries.length === 0) return `Record<string, ${typeOf(valueSchema(schema), margin, list)}>`;
  const inner = margin + indent;
  const lines = entries.map(([name, schema]) => {
    const about = schema.description ? `${inner}/** ${comment(schema.description)} */\n` : "";
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${about}${inner}${key}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner, list)};`;
  });
  return `{\n${lines.join("\n")}\n${margin}}`;
}

/** The schema of every field of a map. */
function valueSchema({ patternProperties = {}, additionalProperties }: Schema): Schema {
  const [ofPattern] = Object.values(patternProperties);
  return ofPattern ?? (typeof additionalProperties === "object" ? additionalProperties : {});
}

/** Text that cannot end the comment it stands in. */
const comment = (text: string): string => text.replaceAll("*/", "*\\/").replaceAll("\n", " ");
