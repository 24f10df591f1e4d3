import type { IncomingHttpHeaders } from "node:http";
import { AppError, notFound } from "../lib/errors.ts";
import type { Actor, Caller } from "./actor.ts";

/** The proof of identity: an API token, or the session of a person signed in to the console. */
export type Credential = string | SignedSession;

/** A session cookie. Only the cookie has the signature: the session alone is in every copy of the database and proves nothing. */
export interface SignedSession {
  session: string;
  /** HMAC-SHA-256 of the session, as base64. */
  signature: string;
}

/**
 * Finds the holder of a credential that is neither expired nor revoked, in the requested organization, or else in the token's
 * own or the account's current one; without an organization when the account is not in it. Features provide it
 * (accounts/authenticator.ts), since the kernel has no access to their tables.
 */
export type Authenticate = (
  credential: Credential,
  organizationId: number | undefined,
) => Promise<Caller | Actor | undefined>;

/** `parameters`: what the challenge says beside that it wants a token. */
export const unauthenticated = (parameters?: string): AppError =>
  new AppError("unauthenticated", "Unauthenticated.", {
    headers: { "WWW-Authenticate": parameters === undefined ? "Bearer" : `Bearer ${parameters}` },
  });

/** The token if there is one, else the session; throws 401 without either. */
export function credentialOf(request: CredentialBearer, publicUrl: string | undefined): Credential {
  const credential = findCredential(request, publicUrl);
  if (credential === undefined) throw unauthenticated();
  return credential;
}

interface CredentialBearer {
  headers: IncomingHttpHeaders;
  /** Whether the request changes something: then a session has to prove that one of our pages sends it. */
  changes: boolean;
}

/** Undefined when there is none. Throws 401 for a malformed one, and 403 for a session used by another site's page. */
export function findCredential(
  { headers, changes }: CredentialBearer,
  publicUrl: string | undefined,
): Credential | undefined {
  if (headers.authorization !== undefined) {
    const [, token] = /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(headers.authorization) ?? [];
    if (token === undefined) throw unauthenticated();
    return token;
  }
  const session = sessionOf(headers, publicUrl);
  if (session === undefined) return undefined;
  if (!isOwnPage(headers, changes, publicUrl)) {
    throw new AppError("forbidden", "A session is only for the console's own pages. Use an API token instead.");
  }
  return session;
}

/** Whether browsers reach this installation over HTTPS. */
export const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith("https:") ?? false;

/**
 * The prefix of the cookie names of sign-ins. Over HTTPS, browsers take a name with `__Host-` only from this very host: a site
 * under a sibling name cannot set one for the whole domain.
 */
export const cookiePrefix = (publicUrl: string | undefined): string =>
  isSecure(publicUrl) ? "__Host-longshore" : "longshore";

/** The session of a cookie `<session>.<signature>`, percent-encoded. Neither part has been checked yet. */
export function sessionOf(
  { cookie = "" }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): SignedSession | undefined {
  const cookies = cookie.split(";").map((each) => each.trim());
  const name = `${cookiePrefix(publicUrl)}.session_token=`;
  const value = cookies.find((each) => each.startsWith(name))?.slice(name.length, name.length + 512) ?? "";
  const [, session, signature] = /^([A-Za-z0-9_-]{16,128})\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(value)) ?? [];
  return session && signature ? { session, signature } : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

/**
 * Browsers send cookies with requests from any page; SameSite=Strict stops foreign sites but not neighbours under the same
 * domain. Sec-Fetch-Site identifies the origin; where browsers do not send it (plain HTTP), Origin does so for writes, and
 * Referer for a GET that changes something.
 */
function isOwnPage(headers: IncomingHttpHeaders, changes: boolean, publicUrl: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin = changes ? headers.referer : undefined, host } = headers;
  if (origin === undefined) return !changes;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host || (publicUrl !== undefined && from.origin === new URL(publicUrl).origin);
}

/** The places of a request that can name its organization, as received. */
export interface OrganizationNames {
  inHeader: unknown;
  /** For links and downloads, which cannot send a header. */
  inQuery: unknown;
  inPath: unknown;
}

/**
 * The organization of a request: the one in its path, or else that of X-Organization or of the query; undefined when the request
 * leaves the choice open, 0 for an invalid id. Throws 404 for an invalid id in the path or one that contradicts the others, 403
 * when header and query name different ones.
 */
export function organizationAsked({ inHeader, inQuery, inPath }: OrganizationNames): number | undefined {
  const named = [inHeader, inQuery].map(organizationId).filter((id) => id !== undefined);
  const [asked] = named;
  if (inPath !== undefined) {
    const id = organizationId(inPath);
    if (!id || named.some((other) => other !== id)) throw notFound("The organization");
    return id;
  }
  if (named.some((other) => other !== asked)) {
    throw new AppError("forbidden", "X-Organization and the parameter organization name different organizations.");
  }
  return asked;
}

function organizationId(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const id = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
