import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type { SqlEngine } from "./engine.ts";

// Engines store a verifier of each password. Longshore computes it here, so that no statement contains a password: an
// engine that logs its failed statements would log it.

/**
 * The verifier that an engine stores in place of a password: letters, digits and `*$:+/=-` only. It is as secret as the
 * password.
 */
export function passwordVerifier(engine: SqlEngine, password: string): string {
  if (engine === "postgresql") return scramVerifier(password);
  // mysql_native_password: client libraries of all languages support it.
  return `*${sha1(sha1(password)).toString("hex").toUpperCase()}`;
}

const sha1 = (data: string | Buffer): Buffer => createHash("sha1").update(data).digest();

// RFC 5803, computed as PostgreSQL's own clients do.
const iterations = 4096;

function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(prepared(password), salt, iterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest();
  const parts = [storedKey, keyOf("Server Key")].map((key) => key.toString("base64"));
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${parts.join(":")}`;
}

// RFC 4013 (SASLprep), which clients apply to a typed password: some characters count as a space, some are dropped.
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;

const prepared = (password: string): string =>
  password
    .replaceAll(/\p{Zs}|\u200b/gu, " ")
    .replaceAll(nothing, "")
    .normalize("NFKC");
