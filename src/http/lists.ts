import { type TSchema, Type } from "typebox";
import { Id, maxId, Nullable, namedAfter, OneOf } from "./schemas.ts";

// What lists have in common besides the pages of pagination.ts: filters, an order, and pages that follow a key.

/** A filter by text; `contains` of db/filters.ts is its condition. */
export const Text = (what: string) =>
  Type.Optional(
    Type.String({ maxLength: 200, title: "text", description: `Only those whose ${what} contains this, in any case` }),
  );

/** A filter by some of several values. */
export const Some = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Optional(Type.Array(OneOf(values), { maxItems: 50, description: `${description}; several between commas` }));

/** A filter by ids. */
export const Ids = (description: string, maxItems = 100) =>
  Type.Optional(Type.Array(Id, { maxItems, description: `${description}; several between commas` }));

/** The order of a list by one of its columns: `name`, or `-name` for the reverse. */
export const Sort = <const Names extends readonly string[]>(names: Names, usual: Names[number] | `-${Names[number]}`) =>
  Type.Optional(
    Type.Unsafe<Names[number] | `-${Names[number]}`>({
      type: "string",
      enum: names.flatMap((name) => [name, `-${name}`]),
      description: `The order; with a minus the reverse. Default: ${usual}`,
    }),
  );

// Pages that follow a key --------------------------------------------------------------------------------------------------

export const mostPerSlice = 100;

/** Query of a list from the newest on; to add filters, spread it. */
export const sliceFields = {
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxId, description: "`next_before` of the page before: only older ones" }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostPerSlice, description: `Items on a page, at most ${mostPerSlice}` }),
  ),
};

/** A page of a list that grows at its beginning: `DeploymentSlice` for items that are named `Deployment`. */
export const Slice = <Item extends TSchema>(item: Item) =>
  namedAfter(
    item,
    "Slice",
    Type.Object({
      data: Type.Array(item),
      next_before: Nullable(
        Type.Integer({ description: "What to send as `before` for the next page; null: this is the last" }),
      ),
    }),
  );

/** The page, of rows that were read with one more than it has. */
export function sliced<Row extends { id: number }>(found: readonly Row[], perPage: number) {
  const data = found.slice(0, perPage);
  return { data, next_before: found.length > perPage ? (data.at(-1)?.id ?? null) : null };
}
