import { createHash, randomBytes } from "node:crypto";

// Hashes a password as crypt(3) does with SHA-512 ($6$), the strongest form that nginx reads everywhere. Node has no
// such function, and an external program on the server would receive the password.

const rounds = 5_000;
const alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The hash in crypt's form; the salt is random when none is given (16 characters of `./0-9A-Za-z` at most). */
export function cryptPassword(password: string, given?: string): string {
  const salt = given ?? Array.from(randomBytes(16), (byte) => alphabet[byte % 64]).join("");
  const key = Buffer.from(password, "utf8");
  const seed = Buffer.from(salt, "latin1");
  const inner = sha512(key, seed, key);
  const parts = [key, seed, filled(inner, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? inner : key);
  const first = sha512(...parts);
  const keys = filled(sha512(...Array.from(key, () => key)), key.length);
  const salts = filled(sha512(...Array.from({ length: 16 + (first[0] ?? 0) }, () => seed)), seed.length);
  let digest = first;
  for (let round = 0; round < rounds; round++) {
    const isOdd = round % 2 === 1;
    const middle = [...(round % 3 === 0 ? [] : [salts]), ...(round % 7 === 0 ? [] : [keys])];
    digest = sha512(isOdd ? keys : digest, ...middle, isOdd ? digest : keys);
  }
  return `$6$${salt}$${encoded(digest)}`;
}

const sha512 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The first `length` bytes of `block`, repeated as often as necessary. */
const filled = (block: Buffer, length: number): Buffer => Buffer.alloc(length, block);

// Three bytes that are 21 apart become four characters, and their order rotates with each group; the last byte stands
// alone.
function encoded(digest: Buffer): string {
  const groups = Array.from({ length: 21 }, (_, group) => {
    const [a, b, c] = [group, group + 21, group + 42].map((at) => digest[at] ?? 0) as [number, number, number];
    const [high, middle, low] = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ][group % 3] as [number, number, number];
    return characters((high << 16) | (middle << 8) | low, 4);
  });
  return [...groups, characters(digest[63] ?? 0, 2)].join("");
}

const characters = (bits: number, count: number): string =>
  Array.from({ length: count }, (_, at) => alphabet[(bits >> (6 * at)) & 63]).join("");
