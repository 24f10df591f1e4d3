import { AppError } from "../../lib/errors.ts";
import type { OrderRef } from "./driver.ts";

const keyPattern = /^[a-z][a-z0-9-]{0,39}$/;

/** Checks the two words that identify what is ours: every provider accepts this form in names, tags and labels. */
export function checkRef({ key, owner }: Pick<OrderRef, "key" | "owner">): void {
  for (const word of [key, owner]) {
    if (!keyPattern.test(word)) throw new AppError("configuration", `${word} cannot be a tag.`, { permanent: true });
  }
}

/** A name for the provider's console that is unique because the key is; letters, digits and dashes, at most 63. */
export function machineName(name: string, key: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 62 - key.length)
    .replace(/^-+|-+$/g, "");
  return readable === "" ? key : `${readable}-${key}`;
}
