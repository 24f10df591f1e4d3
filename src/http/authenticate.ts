import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../lib/errors.ts";
import type { Actor } from "./actor.ts";

/** Whom a token belongs to. `actor` is undefined when that account is not in the organization the request names. */
export interface Caller {
  userId: number;
  actor: Actor | undefined;
}

/**
 * Finds the holder of a token that is neither expired nor revoked, inside the organization asked for or else the token's
 * own or the account's current one. Features provide it (accounts/actions.ts), since the kernel knows no tables of theirs.
 */
export type Authenticate = (token: string, organizationId: number | undefined) => Promise<Caller | undefined>;

export const unauthenticated = (): AppError =>
  new AppError("unauthenticated", "Unauthenticated.", { headers: { "WWW-Authenticate": "Bearer" } });

/** The token of `Authorization: Bearer …`; throws 401 when there is none. */
export function bearerToken(headers: IncomingHttpHeaders): string {
  const [, token] = /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw unauthenticated();
  return token;
}

/** What X-Organization names: undefined without the header, 0 for what can be no organization. */
export function organizationHeader(headers: IncomingHttpHeaders): number | undefined {
  const value = headers["x-organization"];
  if (value === undefined) return undefined;
  const id = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
