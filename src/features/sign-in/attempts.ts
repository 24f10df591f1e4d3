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
  return [bucketOfClient("", client), { name: `email ${email}`, limit: 10, seconds: quarterHour }];
}

/** The buckets that count an attempt of a session that has to repeat the password. */
export const bucketsOfSession = (session: string): Bucket[] => [
  { name: `session ${session}`, limit: 10, seconds: quarterHour },
];

/** The limits of an address for what is done before anyone has signed in. */
const bucketOfClient = (what: string, client: string | undefined): Bucket =>
  client === undefined
    ? { name: `${what}clients`, limit: 100, seconds: minute }
    : { name: `${what}client ${client}`, limit: 10, seconds: minute };

const hour = 3_600;

/** Each may be an unsolicited mail to this address: those of all who ask count together. */
const bucketOfMail = (email: string): Bucket => ({ name: `mail ${email}`, limit: 5, seconds: hour });

/** The buckets that count a request for a link to a new password. */
export const bucketsOfReset = (email: string, client: string | undefined): Bucket[] => [
  bucketOfClient("reset ", client),
  bucketOfMail(email),
];

/** The buckets that count a use of a mailed link. */
export const bucketsOfLink = (client: string | undefined): Bucket[] => [bucketOfClient("link ", client)];

/** The buckets that count a request for another address of an account. */
export const bucketsOfEmailChange = (userId: number, email: string): Bucket[] => [
  { name: `change-email ${userId}`, limit: 5, seconds: hour },
  bucketOfMail(email),
];

/** The buckets that count programs that ask for a token. */
export const bucketsOfDevice = (address: string): Bucket[] => [
  { name: `device-authorization ${address}`, limit: 10, seconds: minute },
];

/** The buckets that count what programs of other sites show for a token. */
export const bucketsOfCode = (client: string | undefined): Bucket[] => [bucketOfClient("code ", client)];

/** The buckets that count the pages that programs of other sites open for a person: a document is read for each. */
export const bucketsOfAuthorization = (userId: number): Bucket[] => [
  { name: `authorization ${userId}`, limit: 10, seconds: minute },
];

/** The buckets that count a person's guesses of a code that a program shows. */
export const bucketsOfUserCode = (userId: number): Bucket[] => [
  { name: `user-code ${userId}`, limit: 10, seconds: quarterHour },
];

/** Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit; throws 429 after too many. */
export async function countAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name, limit, seconds } of buckets) {
    const { attempts, endsInSeconds } = await takeAttempt(db, digestOf(name), seconds);
    if (attempts > limit) {
      const wait = Math.max(1, endsInSeconds);
      const orElse = name.startsWith("email ") ? ", or from a browser that you used before" : "";
      throw new AppError("rate_limited", `Too many attempts. Try again in ${wait} s${orElse}.`, {
        headers: { "Retry-After": String(wait) },
      });
    }
  }
}

/** A correct password does not count as a guess. */
export async function forgiveAttempt(db: Db, buckets: readonly Bucket[]): Promise<void> {
  for (const { name } of buckets) await returnAttempt(db, digestOf(name));
}

const digestOf = (name: string): Buffer => hash("sha256", name, "buffer");
