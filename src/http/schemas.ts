import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";

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
export function named<Schema extends TSchema>(name: string, schema: Schema, description?: string): Schema {
  return withKeywords(schema, { documentedName: name, ...(description === undefined ? {} : { description }) });
}

/** The schema of a field with its meaning: what a caller must know beyond its name, type and limits, such as unit and default. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema =>
  withKeywords(schema, { description });

function withKeywords<Schema extends TSchema>(schema: Schema, keywords: object): Schema {
  // A spread would lose what TypeBox keeps in properties that are not enumerable.
  const copy: Schema = Object.defineProperties({} as Schema, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, keywords);
}

/** The name that `named` gave. */
export const nameOf = (schema: TSchema): string | undefined => (schema as { documentedName?: string }).documentedName;

/** Names what contains an item after the item; without a name when the item has none. */
export function namedAfter<Schema extends TSchema>(item: TSchema, suffix: string, schema: Schema): Schema {
  const name = nameOf(item);
  return name === undefined ? schema : named(`${name}${suffix}`, schema);
}

/** A type or null, in the short form that serializes fast and that OpenAPI 3.1 shows as `type: [string, "null"]`. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, description } = schema as { type?: unknown; description?: string };
  const simple = typeof type === "string" && !("enum" in schema) && !("const" in schema);
  if (simple) return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, "null"] });
  const hasOwn = description !== undefined && nameOf(schema) === undefined;
  return Type.Unsafe<Static<Schema> | null>({
    anyOf: [hasOwn ? withKeywords(schema, { description: undefined }) : schema, { type: "null" }],
    ...(hasOwn ? { description } : {}),
  });
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

/** The answer with a record: `ProjectReply` for one that is named `Project`. */
export const Reply = <Item extends TSchema>(item: Item) => namedAfter(item, "Reply", Success({ data: item }));

/** The answer with all records, where there are no pages: `TokenList`. */
export const List = <Item extends TSchema>(item: Item) =>
  namedAfter(item, "List", Success({ data: Type.Array(item, { description: "All of them" }) }));

/** The answer to a change, with the record as it is now: `MemberChanged`. */
export const Changed = <Item extends TSchema>(item: Item) =>
  namedAfter(item, "Changed", Success({ message: Type.String(), data: item }));

/** The answer to a request that created a record: `InvitationCreated`. */
export const Created = <Item extends TSchema>(item: Item) =>
  namedAfter(item, "Created", Success({ message: Type.String(), data: item }));

/** The answer of which only the message is of interest. */
export const Acknowledgement = named("Acknowledgement", Success({ message: Type.String() }));

/**
 * An object with the fields of both. The OpenAPI document shows it as made of the two, so that a named one is not repeated; for the
 * serializer it is one flat object.
 */
export function Joined<One extends TProperties, Other extends TProperties>(one: TObject<One>, other: TObject<Other>) {
  const flat = Type.Object({ ...one.properties, ...other.properties } as One & Other);
  const documentedAs = { type: undefined, required: undefined, properties: undefined, allOf: [one, other] };
  return Object.assign(flat, { documentedAs });
}

/** The body that matches `Success`. */
export const success = <Body extends object>(body: Body): Body & { status: "success" } => ({
  status: "success",
  ...body,
});

/** Query of a change that can be tried out: the answer then has its plan, and nothing is changed. */
export const DryRunQuery = Type.Object({
  dry_run: Type.Optional(Type.Boolean({ description: "Changes nothing: the answer has the `plan`" })),
});

/** Whether a request only asks what would happen. */
export const isDryRun = (query: unknown): boolean =>
  (query as Static<typeof DryRunQuery> | undefined)?.dry_run === true;
