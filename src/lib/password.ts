import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// 32 MiB and about 100 ms for a guess; of the equivalent choices in OWASP's list, the one that needs the least memory
// at a time.
const cost = { N: 2 ** 15, r: 8, p: 3 };
const maxmem = 64 * 1024 * 1024;
const digestBytes = 32;

/** `scrypt$N$r$p$salt$digest`, so that costs can rise later without invalidating stored digests. */
export async function digestPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await derive(password.normalize("NFKC"), salt, digestBytes, { ...cost, maxmem });
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), digest.toString("base64url")].join("$");
}

/** False for a wrong password and for an invalid digest. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt, digest] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? [];
  if (!salt || !digest) return false;
  const known = Buffer.from(digest, "base64url");
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const given = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64url"), known.length, options);
  return timingSafeEqual(given, known);
}
