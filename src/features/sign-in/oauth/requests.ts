import { hash } from "node:crypto";
import type { Static } from "typebox";
import { type Permission, permissions } from "../../../http/actor.ts";
import type { OAuthRequest } from "./schema.ts";

// What programs ask for, read as OAuth 2.1 has it. Pure functions.

export interface OAuthError {
  error: string;
  /** A sentence. */
  description: string;
}

const sha256 = /^[A-Za-z0-9_-]{43}$/;

/** Why a request is refused, apart from who sends it. */
export function requestError(request: Static<typeof OAuthRequest>, resource: string): OAuthError | undefined {
  if (request.response_type !== "code") {
    return { error: "unsupported_response_type", description: "The program must ask for response_type=code." };
  }
  if (request.code_challenge_method !== "S256" || !sha256.test(request.code_challenge ?? "")) {
    return { error: "invalid_request", description: "The program must use PKCE with code_challenge_method=S256." };
  }
  return resourceError(request.resource, resource);
}

const resourceError = (given: string | null | undefined, resource: string): OAuthError | undefined =>
  given === resource ? undefined : { error: "invalid_target", description: `The resource must be ${resource}.` };

/** What is proposed to the person. A program that names no permission of ours gets those to read proposed. */
export function proposedBy(scope: string | undefined): Permission[] {
  const named = new Set(scope?.split(" "));
  const known = permissions.filter((permission) => named.has(permission));
  return known.length > 0 ? known : permissions.filter((permission) => permission.endsWith(":read"));
}

/** What a program shows for its token. */
export interface Shown {
  code: string;
  clientId: string;
  redirectUri: string;
  /** Made of the secret that it sends. */
  challenge: string;
}

/** Reads the body of a request for a token. */
export function readExchange(body: string, resource: string): Shown | OAuthError {
  const given = new URLSearchParams(body);
  const names = ["grant_type", "code", "client_id", "redirect_uri", "code_verifier"];
  const repeated = [...names, "resource"].find((name) => given.getAll(name).length > 1);
  if (repeated !== undefined) return invalidRequest(`${repeated} is there twice.`);
  const grant = given.get("grant_type");
  if (grant !== null && grant !== "authorization_code") {
    return { error: "unsupported_grant_type", description: "Only grant_type=authorization_code is possible." };
  }
  const missing = names.find((name) => !given.get(name));
  if (missing !== undefined) return invalidRequest(`${missing} is missing.`);
  const [, code = "", clientId = "", redirectUri = "", verifier = ""] = names.map((name) => given.get(name) ?? "");
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return invalidRequest("code_verifier must have 43 to 128 characters.");
  const challenge = hash("sha256", verifier, "base64url");
  return resourceError(given.get("resource"), resource) ?? { code, clientId, redirectUri, challenge };
}

const invalidRequest = (description: string): OAuthError => ({ error: "invalid_request", description });
