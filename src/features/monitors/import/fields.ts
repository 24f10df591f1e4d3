import { objectOf, scalarOf } from "../../../lib/foreign.ts";

// Reads the file of another program field by field: its content is untrusted.

export type Fields = Record<string, unknown>;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === "1";

/** A list, even if a program writes it as an object by id. */
export function listOf(value: unknown): Fields[] {
  const items = Array.isArray(value) ? value : Object.values(objectOf(value));
  return items.map(objectOf);
}

const longestName = 100;

/** A valid name for a monitor. */
export function nameOf(value: unknown, notes: string[]): string {
  const name = textOf(value) ?? "Without a name";
  if (name.length > longestName) notes.push(`Its name is cut to ${longestName} characters.`);
  return name.slice(0, longestName);
}

interface Limits {
  /** What the number is, as a note names it. */
  what: string;
  least: number;
  most: number;
}

/** The nearest number that is possible here; a note shows both if they differ. */
export function fitted(value: number, { what, least, most }: Limits, notes: string[]): number {
  const fit = Math.min(most, Math.max(least, Math.round(value)));
  if (fit !== value) notes.push(`Its ${what} is ${fit} here instead of ${value}: ${least} to ${most} are possible.`);
  return fit;
}

export const secondsPerDay = 86_400;
const longestPeriod = 30 * secondsPerDay;

/** The period of a heartbeat; undefined if it has to be the job's own. */
export function periodOf(seconds: number, notes: string[]): number | undefined {
  if (seconds <= longestPeriod)
    return fitted(seconds, { what: "period in seconds", least: 60, most: longestPeriod }, notes);
  const days = Math.round(seconds / secondsPerDay);
  notes.push(`Its period of ${days} days is that of the job's schedule here: up to 30 days can be set otherwise.`);
  return undefined;
}

/** What becomes of a field that has a value: it is taken, makes no difference here, or is noted unless the note is undefined. */
export type Fate = "taken" | "harmless" | ((value: unknown, fields: Fields) => string | undefined);

const shownFields = 10;

/** The notes on fields that are not taken, each kept or noted by `fates`. */
export function notesOf(fields: Fields, fates: Record<string, Fate>): string[] {
  const given = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  const unknown = given.flatMap(([field]) => (Object.hasOwn(fates, field) ? [] : field.slice(0, 50)));
  const notes = given.flatMap(([field, value]) => {
    const fate = Object.hasOwn(fates, field) ? fates[field] : undefined;
    return typeof fate === "function" ? (fate(value, fields) ?? []) : [];
  });
  if (unknown.length > 0) {
    const more = unknown.length > shownFields ? ` and ${unknown.length - shownFields} more` : "";
    notes.push(`These fields are not known here and left out: ${unknown.slice(0, shownFields).join(", ")}${more}.`);
  }
  // Several fields may share a note.
  return [...new Set(notes)];
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.keys(value).length === 0
    : ["", "0", "false", "null", "[]", "{}"].includes(scalarOf(value).trim());

const longestItem = 200;

/** A name of its own for each item: the first of its names that no other has, or a numbered one. */
export function itemNames(all: readonly (readonly string[])[]): string[] {
  const names = all.map((each) => [...new Set(each.map((name) => name.slice(0, longestItem)))]);
  const counts = new Map<string, number>();
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const given = new Set(counts.keys());
  return names.map((own) => {
    const only = own.find((name) => counts.get(name) === 1);
    if (only !== undefined) return only;
    const base = (own[0] ?? "item").slice(0, longestItem - 10);
    let number = 1;
    while (given.has(`${base} (${number})`)) number++;
    given.add(`${base} (${number})`);
    return `${base} (${number})`;
  });
}
