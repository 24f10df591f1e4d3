import { objectOf } from "../../../lib/foreign.ts";

// Reads the file of another program field by field: its content is untrusted.

export type Fields = Record<string, unknown>;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 2_000) : undefined;

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === "1";

export const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value)));

/** A list, even if a program writes it as an object by id. */
export function listOf(value: unknown): Fields[] {
  const items = Array.isArray(value) ? value : Object.values(objectOf(value));
  return items.map(objectOf);
}

/** A valid name for a monitor. */
export const nameOf = (value: unknown): string => (textOf(value) ?? "Without a name").slice(0, 100);
