import { type Static, type TProperties, type TSchema, Type } from "typebox";

// Building blocks for request and response schemas. `title` is the name of a field in its error sentences ("The
// repository is required."); without one it is the field's name with spaces.

/** The largest integer that JSON represents exactly, and the largest id. */
export const maxId = Number.MAX_SAFE_INTEGER;

export const Id = Type.Integer({ minimum: 1, maximum: maxId });

/** `{id}` of a path. */
export const IdParams = Type.Object({ id: Id });

/**
 * Gives an object of the API its noun, such as `Project`: the OpenAPI document defines it once, under this name, and the typed client
 * has a type of that name. Objects made of its `properties` do not inherit the name.
 */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  documentedName: name,
});

/** The name that `named` gave. */
export const nameOf = (schema: TSchema): string | undefined => (schema as { documentedName?: string }).documentedName;

/** A type or null, in the short form that serializes fast and that OpenAPI 3.1 shows as `type: [string, "null"]`. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const type = (schema as { type?: unknown }).type;
  const simple = typeof type === "string" && !("enum" in schema) && !("const" in schema);
  const nullable = simple ? { ...schema, type: [type, "null"] } : { anyOf: [schema, { type: "null" }] };
  return Type.Unsafe<Static<Schema> | null>(nullable);
}

/** One of some strings. */
export const OneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...options });

/** One of some integers, such as 301, 302, 307, 308. */
export const OneOfIntegers = <const Values extends readonly number[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: "integer", enum: [...values], ...options });

/** For fields that accept true, false, 1 or 0: `isOn` reads them. */
export const Switch = Type.Unsafe<boolean | 0 | 1>({ enum: [true, false, 0, 1] });
export const isOn = (value: boolean | 0 | 1): boolean => value === true || value === 1;

/** A name of 1 to 100 characters. */
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: "\\S" });

export const Timestamp = Type.String({
  description: "ISO 8601 UTC with microseconds",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$",
});

/** `{status: "success", …}`, the envelope of most success bodies. */
export const Success = <Properties extends TProperties>(properties: Properties) =>
  Type.Object({ status: Type.Literal("success"), ...properties });

/** The body that matches `Success`. */
export const success = <Body extends object>(body: Body): Body & { status: "success" } => ({
  status: "success",
  ...body,
});
