import { isRecord, type Schema } from "./json-schema.ts";

/** The fields of a body that its schema does not have. */
export interface UnknownFields {
  /** One sentence for each of the first ones, under its dotted name. */
  sentences: Record<string, string>;
  /** Whether the body has no known field. */
  isAll: boolean;
}

interface Found {
  /** The dotted name of the object that holds the field, with a dot at its end; empty for the body. */
  place: string;
  name: string;
  siblings: readonly string[];
}

const mostSentences = 20;
const longestName = 100;

/** Removes the fields of a body that the schema does not have, in place. Undefined if there are none. */
export function removeUnknownFields(body: unknown, schema: Schema): UnknownFields | undefined {
  const found: Found[] = [];
  remove(body, schema, "", found);
  if (found.length === 0) return undefined;
  const shown = found.slice(0, found.length > mostSentences ? mostSentences - 1 : mostSentences);
  const known = namesOf(objectSchemaOf(schema, body), "");
  const sentences = shown.map((each) => [cut(each.place + each.name), sentenceOf(each, known)] as const);
  const more = found.length - shown.length;
  if (more > 0) sentences.push(["body", `${more} further fields are not known here: they were ignored.`]);
  return { sentences: Object.fromEntries(sentences), isAll: isEmpty(body) };
}

// A caller that checks the depth bounds the recursion.
function remove(value: unknown, schema: Schema, place: string, found: Found[]): void {
  if (Array.isArray(value)) {
    const items = variantsOf(schema).find((variant) => variant.items)?.items;
    if (items) for (const [at, entry] of value.entries()) remove(entry, items, `${place}${at}.`, found);
    return;
  }
  const object = isRecord(value) ? objectSchemaOf(schema, value) : undefined;
  if (!object || !isRecord(value)) return;
  const { properties = {}, patternProperties = {} } = object;
  const [ofRecord] = Object.values(patternProperties);
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : ofRecord;
    if (!inner) {
      found.push({ place, name, siblings: Object.keys(properties) });
      delete value[name];
    } else if (typeof value[name] === "object") remove(value[name], inner, `${place}${name}.`, found);
  }
}

const variantsOf = (schema: Schema): readonly Schema[] => {
  const shown = schema.documentedAs ?? schema;
  return shown.anyOf ?? [shown];
};

/** The schema of the fields of an object; undefined if it may have any. Of several, the one whose constants the object has. */
function objectSchemaOf(schema: Schema, value: unknown): Schema | undefined {
  const objects = variantsOf(schema).filter(({ properties, patternProperties }) => properties ?? patternProperties);
  const fitting = objects.length === 1 ? objects[0] : objects.find((variant) => hasConstants(variant, value));
  return fitting?.additionalProperties === true ? undefined : fitting;
}

const hasConstants = ({ properties = {}, required = [] }: Schema, value: unknown): boolean =>
  Object.entries(properties).every(([name, { const: constant }]) => {
    const given = isRecord(value) ? value[name] : undefined;
    return constant === undefined || given === constant || (given === undefined && !required.includes(name));
  });

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isEmpty);

// The nearest known field ----------------------------------------------------------------------------------------------

function sentenceOf({ place, name, siblings }: Found, known: readonly string[]): string {
  const near = nearest(name, [...siblings.map((sibling) => place + sibling), ...known], place + name);
  const sentence = `${cut(place + name)} is not a field here: it was ignored.`;
  return near === undefined ? sentence : `${sentence} Did you mean ${near}?`;
}

const cut = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);

/** The dotted names of all fields that are no objects with fields of their own. */
function namesOf(object: Schema | undefined, place: string): string[] {
  return Object.entries(object?.properties ?? {}).flatMap(([name, schema]) => {
    const inner = namesOf(objectSchemaOf(schema, undefined), `${place}${name}.`);
    return inner.length > 0 ? inner : [place + name];
  });
}

/** The known name that is most like an unknown one, by its words or its letters. */
function nearest(name: string, known: readonly string[], whole = name): string | undefined {
  const near = known
    .map((each) => ({ each, distance: Math.min(distance(name, each), distance(whole, each)) }))
    .filter((one) => one.distance < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.each;
}

/** 0 for the same name, infinite for names that have little in common. */
function distance(name: string, known: string): number {
  const given = wordsOf(name);
  const words = wordsOf(known);
  const leaf = wordsOf(known.split(".").at(-1) as string);
  if (given.join() === words.join() || given.join() === leaf.join()) return 0;
  // `repository_branch` for `git_repository.branch`, and `project_name` for `name`.
  if (given.every((word) => words.includes(word))) return 1 + words.length - given.length;
  if (leaf.every((word) => given.includes(word)) && given.at(-1) === leaf.at(-1)) return 10 + given.length;
  const letters = lettersBetween(given.join(""), leaf.join(""));
  return letters <= Math.max(1, leaf.join("").length / 4) ? 20 + letters : Number.POSITIVE_INFINITY;
}

const wordsOf = (name: string): string[] =>
  name
    .slice(0, longestName)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/s$/, ""));

/** How many letters have to be added, removed, replaced or swapped with their neighbour. */
function lettersBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 8) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const cheapest = Math.min(
        (last[to] as number) + 1,
        (row[to - 1] as number) + 1,
        (last[to - 1] as number) + Number(!isSame),
      );
      row.push(isSwap ? Math.min(cheapest, (before[to - 2] as number) + 1) : cheapest);
    }
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}

// Queries --------------------------------------------------------------------------------------------------------------

/** One sentence for each parameter of a query that is not known. A filter that is ignored would answer with everything. */
export function unknownParameters(
  given: Record<string, unknown>,
  known: Record<string, unknown>,
): Record<string, string> | undefined {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return undefined;
  const names = Object.keys(known);
  const known_ = names.length === 0 ? "There are none here." : `Known are ${names.join(", ")}.`;
  const shown = unknown.slice(0, mostSentences);
  return Object.fromEntries(shown.map((name) => [cut(name), `${cut(name)} is not a query parameter here. ${known_}`]));
}
