import { type TSchema, Type } from "typebox";
import { isRecord, type Schema } from "./json-schema.ts";
import { Answer, type Route, StreamAnswer } from "./route.ts";

const warningsField = Type.Optional(
  Type.Array(Type.String(), { description: "One sentence for each field of the request that was ignored" }),
);

/** The reply of a route as it is sent: every answer to a body may have warnings. */
export function answerSchema({ method, reply, rawBody, streamBody }: Route): TSchema {
  const { properties } = reply as Schema;
  if (method === "GET" || rawBody || streamBody || !properties || Object.hasOwn(properties, "warnings")) return reply;
  return { ...reply, properties: { ...properties, warnings: warningsField } } as TSchema;
}

/** The result of a handler with further warnings. */
export function withWarnings(result: unknown, warnings: readonly string[]): unknown {
  if (warnings.length === 0 || result instanceof StreamAnswer) return result;
  if (result instanceof Answer) return new Answer(result.status, joined(result.body, warnings), result.headers);
  return joined(result, warnings);
}

function joined(body: unknown, warnings: readonly string[]): unknown {
  if (!isRecord(body)) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...warnings] };
}
