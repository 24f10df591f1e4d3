import type { Json, JsonObject } from "./schema.ts";

/**
 * The state with the patch merged into it: objects key by key and to any depth, everything else replaced as a whole, and keys
 * that are null deleted (RFC 7396). Only own keys are read, and keys are defined rather than assigned, so that `__proto__` and
 * the like are ordinary keys.
 */
export function merge(state: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(state) ? Object.entries(state) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
