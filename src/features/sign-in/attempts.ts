import { hash } from "node:crypto";
import type { Db } from "../../db/sql.ts";
import { AppError } from "../../lib/errors.ts";
import { returnAttempt, takeAttempt } from "./queries.ts";

// Limits the guesses of a password. Attempts for one account are counted over all clients, so that many addresses get no more
// guesses than one. Attempts from browsers in which the account has signed in before are counted separately, so that others'
// guesses do not lock the owner out. https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

/** Attempts counted together, with their limit per period. */
export interface Bucket {
  /** Begins with its kind; unique for the counted thing. */
  name: string;
  limit: number;
  seconds: number;
}

const quarterHour = 900;
const minute = 60;

export interface SignInAttempt {
  email: string;
  /** The known browser, if the request comes from one of this account. */
  device: string | undefined;
  /** The address; undefined when clients cannot be distinguished. */
  client: string | undefined;
}

/** The buckets that count an attempt to sign in with a password. */
export function bucketsOfSignIn({ email, device, client }: SignInAttempt): Bucket[] {
  if (device !== undefined) return [{ name: `device ${device}`, limit: 10, seconds: quarterHour }];
  return [
    client === undefined
      ? { name: "clients", limit: 100, seconds: minute }
      : { name: `client ${client}`, limit: 10, seconds: minute },
    { name: `email ${email}`, limit: 10, seconds: quarterHour },
  ];
}

/** The buckets that count an attempt of a session that has to repeat the password. */
export const bucketsOfSession = (session: string): Bucket[] => [
  { name: `session ${session}`, limit: 10, seconds: quarterHour },
];

/** Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit; throws 429 after too many. */
export async function countAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name, limit, seconds } of buckets) {
    const { attempts, endsInSeconds } = await takeAttempt(db, digestOf(name), seconds);
    if (attempts > limit) {
      const wait = Math.max(1, endsInSeconds);
      throw new AppError(
        "rate_limited",
        `Too many attempts. Try again in ${wait} s, or from a browser that you used before.`,
        { headers: { "Retry-After": String(wait) } },
      );
    }
  }
}

/** A correct password does not count as a guess. */
export async function forgiveAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name } of buckets) await returnAttempt(db, digestOf(name));
}

const digestOf = (name: string): Buffer => hash("sha256", name, "buffer");
