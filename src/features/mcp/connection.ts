import { type Actor, actsAsAccount, type Caller, can, isInOrganization } from "../../http/actor.ts";
import type { Route, RoutePermission } from "../../http/route.ts";
import { AppError } from "../../lib/errors.ts";

/** What a client narrowed its connection to, in the query of its address. */
export interface Narrowing {
  isReadOnly: boolean;
  organizationId: number | undefined;
  /** The id or the exact name of the only project. */
  project: string | undefined;
}

const known = ["read_only", "organization", "project"];

/** Throws 422 for anything else: a misspelt restriction must not leave a connection unrestricted. */
export function narrowingOf(query: URLSearchParams): Narrowing {
  const fields: Record<string, string> = {};
  for (const name of new Set(query.keys())) {
    if (!known.includes(name)) fields[name] = `${name} is not known here. Known are ${known.join(", ")}.`;
    else if (query.getAll(name).length > 1) fields[name] = `${name} is there twice.`;
    else if (query.get(name)?.trim() === "") fields[name] = `${name} is empty.`;
  }
  const readOnly = query.get("read_only") ?? "0";
  const organization = query.get("organization") ?? undefined;
  if (!/^(0|1|true|false)$/.test(readOnly)) fields.read_only ??= "read_only must be 1 or 0.";
  if (organization !== undefined && !/^[1-9]\d{0,15}$/.test(organization)) {
    fields.organization ??= "organization must be the id of an organization.";
  }
  if (Object.keys(fields).length > 0) {
    throw new AppError("invalid", `The address of the connection is invalid. ${Object.values(fields).join(" ")}`, {
      fields,
    });
  }
  return {
    isReadOnly: readOnly === "1" || readOnly === "true",
    organizationId: organization === undefined ? undefined : Number(organization),
    project: query.get("project")?.trim(),
  };
}

/** Throws 403 for an account that is not in the organization. */
export function memberOf(caller: Caller | Actor): Actor {
  if (isInOrganization(caller)) return caller;
  throw new AppError("forbidden", "You are not a member of this organization, or your token is bound to another one.");
}

/** Whether a caller with a token can ever send such a request. */
export function isWithin(permission: RoutePermission, caller: Caller): boolean {
  if (permission === "any" || permission === "public") return true;
  if (permission === "session") return false;
  return permission === "account" ? actsAsAccount(caller) : can(caller, permission);
}

/** POSTs that change nothing. */
export const readingPosts = [
  "POST /api/v1/projects/detect",
  "POST /api/v1/check-ns",
  "POST /api/v1/projects/:id/environment-variables/compare",
];

export const nameOfRoute = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path}`;

export const isReading = (route: Route): boolean =>
  (route.method === "GET" && !route.changes) || readingPosts.includes(nameOfRoute(route));
