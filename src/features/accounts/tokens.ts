import { hash, randomInt } from "node:crypto";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { insertToken } from "./queries.ts";
import type { NewToken } from "./schema.ts";

export interface TokenOrder {
  userId: number;
  organizationId: number | null;
  /** Needs an organization. */
  isBound: boolean;
  name: string;
  permissions: readonly string[];
  expiresAt: string | null;
}

/** Returns the value, which is not stored. */
export async function issueToken(db: Db, order: TokenOrder): Promise<Static<typeof NewToken>> {
  const token = newSecret("lsh_");
  const stored = await insertToken(db, {
    ...order,
    permissions: [...new Set(order.permissions)],
    digest: digestOf(token),
    prefix: token.slice(0, 8),
  });
  return { ...stored, token };
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A prefix and 40 random base62 characters: 238 bits, so a plain digest is enough for storing it. */
export const newSecret = (prefix: string): string => prefix + randomText(40);

/** Random characters of an alphabet; of base62, 32 of them have 190 bits. */
export const randomText = (length: number, alphabet = base62): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");

/** The digest by which a secret of `newSecret` is stored and found. */
export const digestOf = (token: string): Buffer => hash("sha256", token, "buffer");
