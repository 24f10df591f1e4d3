import { hash } from "node:crypto";
import type { Db } from "../../db/sql.ts";
import { AppError } from "../../lib/errors.ts";
import { returnAttempt, takeAttempt } from "./queries.ts";

// How often a password can be guessed. Attempts for one account are counted over all clients, so that many addresses guess no
// more than one; those of browsers in which the account has signed in before are counted apart, so that guesses of others do not
// keep the owner out. https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies

/** Attempts counted together, and how many there may be in one period. */
export interface Bucket {
  /** Begins with its kind; unique for the thing counted. */
  name: string;
  limit: number;
  seconds: number;
}

const quarterHour = 900;
const minute = 60;

export interface SignInAttempt {
  email: string;
  /** The known browser, when the request comes from one of this account. */
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

/** The buckets that count an attempt where a session has to give the password again. */
export const bucketsOfSession = (session: string): Bucket[] => [
  { name: `session ${session}`, limit: 10, seconds: quarterHour },
];

/** Counts an attempt before it is made, so that attempts at once cannot pass together; throws 429 when there were too many. */
export async function countAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name, limit, seconds } of buckets) {
    const { attempts, endsInSeconds } = await takeAttempt(db, digestOf(name), seconds);
    if (attempts > limit) throw tooMany(Math.max(1, endsInSeconds));
  }
}

/** A right password is no guess. */
export async function forgiveAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name } of buckets) await returnAttempt(db, digestOf(name));
}

const digestOf = (name: string): Buffer => hash("sha256", name, "buffer");

const tooMany = (seconds: number): AppError =>
  new AppError(
    "rate_limited",
    `Too many attempts. Try again in ${seconds} s, or from a browser that you used before.`,
    {
      headers: { "Retry-After": String(seconds) },
    },
  );
