import { type TSchema, Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import { Planned } from "./dry-run.ts";
import { isRecord, type Schema } from "./json-schema.ts";
import { Answer, hasPlannedReply, type Route, StreamAnswer } from "./route.ts";
import { named } from "./schemas.ts";

/** What every answer to a body may have besides the reply of its route. */
export const Warnings = named(
  "Warnings",
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: "One sentence for each field of the request that was ignored" }),
    ),
  }),
);

/** Whether the answer has the fields of `Warnings` added to its reply. */
export function mayWarn({ method, reply, rawBody, streamBody }: Route): boolean {
  const { properties } = reply as Schema;
  return method !== "GET" && !rawBody && !streamBody && !!properties && !Object.hasOwn(properties, "warnings");
}

/** The replies of a route as they are sent, by their status. */
export function answerSchemas(route: Route): Record<string, TSchema> {
  const withWarnings = (reply: TSchema): TSchema => {
    if (!mayWarn(route)) return reply;
    const { properties } = reply as Schema;
    return { ...reply, properties: { ...properties, ...Warnings.properties } } as TSchema;
  };
  return {
    "2xx": withWarnings(route.reply),
    ...(hasPlannedReply(route) ? { "200": withWarnings(Planned) } : {}),
  };
}

/** The result of a handler with further warnings. */
export function withWarnings(result: unknown, warnings: readonly string[]): unknown {
  if (warnings.length === 0 || result instanceof StreamAnswer) return result;
  if (result instanceof Answer) return new Answer(result.status, joined(result.body, warnings), result.headers);
  return joined(result, warnings);
}

/** The errors of fields that a handler found, under a lock for example, with further warnings. */
export function errorWithWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (warnings.length === 0 || !(error instanceof AppError) || error.code !== "invalid" || !error.fields) return error;
  const { message, fields, headers } = error;
  return new AppError("invalid", message, {
    fields,
    headers,
    warnings: [...error.warnings, ...warnings],
    cause: error,
  });
}

function joined(body: unknown, warnings: readonly string[]): unknown {
  if (!isRecord(body)) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...warnings] };
}
