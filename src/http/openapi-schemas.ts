import type { Schema } from "./openapi-document.ts";

/** Converts the schemas of routes for the document, and collects those that have a name. */
export interface SchemaConverter {
  /** The schema without the parts that only this code reads; a reference when it has a name. */
  convert(schema: unknown): Schema;
  /** The named schemas met so far, in alphabetical order. */
  components(): Record<string, Schema>;
}

/** Fields that mean the same wherever they have no description of their own. */
const commonMeanings: Readonly<Record<string, string>> = {
  id: "Identifies the record in paths and bodies; never used for another one",
  name: "As people named it",
  message: "What happened, as a sentence for people",
  server_id: "The server that it is about",
  project_id: "The project that it is about",
};

const explained = (name: string, field: Schema): Schema => {
  const description = commonMeanings[name];
  const isClear = description === undefined || field.description !== undefined || field.$ref !== undefined;
  return isClear ? field : { ...field, description };
};

/** Throws when two different schemas have one name. */
export function schemaConverter(): SchemaConverter {
  const named = new Map<string, Schema>();

  function convert(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(convert);
    if (typeof schema !== "object" || schema === null) return schema;
    const { documentedAs, errorMessage: _, ...rest } = schema as Record<string, unknown>;
    const { documentedName, ...shown }: Record<string, unknown> = { ...rest, ...(documentedAs as object | undefined) };
    return typeof documentedName === "string" ? reference(documentedName, shown) : converted(shown);
  }

  const converted = (schema: Record<string, unknown>): Schema =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([key, value]) => !key.startsWith("~") && value !== undefined)
        .map(([key, value]) => [key, key === "properties" ? properties(value as object) : convert(value)]),
    );

  const properties = (fields: object): Record<string, Schema> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, explained(name, convert(field) as Schema)]),
    );

  /** `Nullable` writes null into the type of what it makes nullable. */
  function reference(name: string, schema: Record<string, unknown>): Schema {
    const { type } = schema;
    if (!Array.isArray(type)) return define(name, converted(schema));
    const [only] = type.filter((each) => each !== "null");
    return { anyOf: [define(name, converted({ ...schema, type: only })), { type: "null" }] };
  }

  function define(name: string, schema: Schema): Schema {
    const known = named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are named ${name}.`);
    named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    convert: (schema) => convert(schema) as Schema,
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
