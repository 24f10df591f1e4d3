import { Compile } from "typebox/schema";
import type {
  Media,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
} from "../src/http/openapi-document.ts";

// The OpenAPI document for tests: its description of each operation, and whether an answer matches.

export interface DocumentedOperation {
  /** `GET /api/v1/projects/{id}` */
  name: string;
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
  /** The schema of a JSON body, without references. */
  body?: Schema;
  /** The answers by status. */
  responses: Map<number, Response>;
}

export function operationsOf(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...bodyOf(document, operation),
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: operation.parameters.map((each) => resolved<Parameter>(document, each)),
      responses: new Map(
        Object.entries(operation.responses).map(([status, each]) => [
          Number(status),
          resolved<Response>(document, each),
        ]),
      ),
    })),
  );
}

function bodyOf(document: OpenApiDocument, { requestBody }: Operation): { body?: Schema } {
  const media = requestBody?.content["application/json"];
  return media ? { body: inlined(document, media.schema) } : {};
}

function resolved<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  const reference = (value as Reference).$ref;
  if (reference === undefined) return value as Value;
  const [, ...path] = reference.split("/");
  return path.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document) as Value;
}

export interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/** Returns what is wrong with an answer of the operation, judged by the document alone; undefined when it is right. */
export function answerChecker(
  document: OpenApiDocument,
): (of: DocumentedOperation, answer: Answer) => string | undefined {
  const faultOf = schemaChecker(document);
  return ({ responses }, { status, contentType, body }) => {
    const response = responses.get(status);
    if (!response) return `The status ${status} is not documented.`;
    const type = contentType.split(";")[0] ?? "";
    const media: Media | undefined = response.content[type];
    if (!media) return `The type ${type} is not documented for ${status}.`;
    return type === "application/json" ? faultOf(media.schema, parsed(body)) : undefined;
  };
}

/** Returns how a value does not fit a schema of the document; undefined when it fits. */
export function schemaChecker(document: OpenApiDocument): (schema: object, value: unknown) => string | undefined {
  const compiled = new Map<object, ReturnType<typeof Compile>>();
  return (schema, value) => {
    const validator = compiled.get(schema) ?? Compile(inlined(document, schema));
    compiled.set(schema, validator);
    if (validator.Check(value)) return undefined;
    const [, errors] = validator.Errors(value);
    return errors.map(({ instancePath, message }) => `${instancePath || "it"} ${message}`).join("; ");
  };
}

/** The schema with a copy of each named one in the place of its reference. */
function inlined(document: OpenApiDocument, value: object): object {
  const copy = (each: unknown): unknown => (typeof each === "object" && each !== null ? inlined(document, each) : each);
  if (Array.isArray(value)) return value.map(copy);
  const schema = resolved<object>(document, value);
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, copy(each)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
