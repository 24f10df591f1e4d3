import { createHmac, createPublicKey, type KeyObject } from "node:crypto";

/** Credentials that an authority gives to its existing customers (external account binding). */
export interface ExternalAccount {
  keyId: string;
  /** base64url */
  key: string;
}

export interface PublicJwk {
  crv: string;
  kty: string;
  x: string;
  y: string;
}

export function publicJwk(key: KeyObject): PublicJwk {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" });
  return { crv, kty, x, y } as PublicJwk;
}

/** A JSON Web Signature in its flattened form; an undefined payload becomes the empty one, which only reads. */
export function signedBody(header: object, payload: unknown, sign: (text: string) => Buffer): string {
  const protectedPart = encode(JSON.stringify(header));
  const payloadPart = payload === undefined ? "" : encode(JSON.stringify(payload));
  return JSON.stringify(flattened(protectedPart, payloadPart, sign));
}

/** Proof that the account's owner is registered with the authority. */
export function externalBinding({ keyId, key }: ExternalAccount, url: string, jwk: PublicJwk): object {
  const hmac = (text: string) => createHmac("sha256", Buffer.from(key, "base64url")).update(text).digest();
  return flattened(encode(JSON.stringify({ alg: "HS256", kid: keyId, url })), encode(JSON.stringify(jwk)), hmac);
}

const flattened = (protectedPart: string, payload: string, sign: (text: string) => Buffer) => ({
  protected: protectedPart,
  payload,
  signature: sign(`${protectedPart}.${payload}`).toString("base64url"),
});

const encode = (text: string): string => Buffer.from(text).toString("base64url");
