import { AppError } from "../lib/errors.ts";
import { actsAsAccount, type Caller, can } from "./actor.ts";
import type { Route } from "./route.ts";

/** What refuses a route to a caller who does not have its permission; undefined for those who have it. */
export function permissionRefusal({ permission }: Route, caller: Caller): AppError | undefined {
  if (permission === "any" || permission === "public") return undefined;
  if (permission === "account") {
    const message = "This changes your account. Sign in, or use a token with all permissions (*).";
    return actsAsAccount(caller) ? undefined : new AppError("forbidden", message);
  }
  if (permission === "session") {
    const message = "This is for a person who is signed in, not for a token.";
    return caller.tokenId === null ? undefined : new AppError("forbidden", message);
  }
  if (can(caller, permission)) return undefined;
  return new AppError("forbidden", `This needs the permission ${permission}, which your role or token does not have.`);
}
