import { setTimeout as sleep } from "node:timers/promises";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { readText } from "../../lib/http-answers.ts";
import { unreachableSentence } from "../../lib/unanswered.ts";
import { type CallLimit, type CloudAccess, CloudError, type DriverOptions, type SkippedItem } from "./driver.ts";

/** A provider, with the data that its driver needs for calls. */
export interface Caller {
  label: string;
  limits: readonly CallLimit[];
  options: DriverOptions;
  /** The refusal in an answer; undefined for a success. */
  refusalIn: (answer: CloudAnswer) => CloudError | undefined;
}

export interface CloudCall {
  /** Built for each attempt, because a signature contains the time. */
  request: () => Promise<Request> | Request;
  /** Sending it twice has the same effect as once. Other calls are repeated only when the first certainly had no effect. */
  isRepeatable: boolean;
  /** The limits that the call counts for; default: all of the provider. */
  limits?: readonly CallLimit[];
}

export interface CloudAnswer {
  status: number;
  headers: Headers;
  text: string;
}

const defaultTimeoutMs = 20_000;
const defaultPauseMs = 250;
const mostAttempts = 4;
// For a longer wait the caller uses its own backoff.
const longestPauseMs = 5_000;
// The largest answers, pages of a hundred server types, have half a megabyte.
const largestAnswer = 4 * 1024 * 1024;
const deepestNesting = 48;

/**
 * Sends a call at its turn and returns the provider's successful answer. Repeats calls that are safe to repeat, and throws
 * CloudError otherwise. After an error with `isUncertain` the call may have had its effect.
 */
export async function send(caller: Caller, access: CloudAccess, call: CloudCall): Promise<CloudAnswer> {
  const { pauseMs: firstPauseMs = defaultPauseMs, timeoutMs = defaultTimeoutMs } = caller.options;
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    await access.callLimits?.take(call.limits ?? caller.limits);
    const outcome = await sendOnce(caller, access, call);
    if (!(outcome instanceof CloudError)) return outcome;
    const error = withoutSecrets(outcome, access);
    const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1);
    const isSafe = !error.permanent && (call.isRepeatable || !error.isUncertain);
    // After a timeout the call is not repeated: a request may be waiting for it.
    const isOver = attempt === mostAttempts || performance.now() - begun >= timeoutMs;
    if (!isSafe || isOver || pauseMs > longestPauseMs) throw error;
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal: access.signal });
  }
}

async function sendOnce(caller: Caller, access: CloudAccess, call: CloudCall): Promise<CloudAnswer | CloudError> {
  const { label, options } = caller;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const signal = access.signal ? AbortSignal.any([access.signal, timeout]) : timeout;
  try {
    const fetchNow = options.fetch ?? fetch;
    // A redirect could take the credentials to another host.
    const response = await fetchNow(await call.request(), { redirect: "manual", signal });
    const answer = {
      status: response.status,
      headers: response.headers,
      text: await readText(response.body, largestAnswer),
    };
    const error = caller.refusalIn(answer);
    if (error === undefined) return answer;
    if (answer.status === 429) {
      for (const limit of call.limits ?? caller.limits.slice(0, 1)) {
        await access.callLimits?.block(limit, error.retryAfterMs ?? 1_000);
      }
    }
    return error;
  } catch (cause) {
    access.signal?.throwIfAborted();
    const sentence = unreachableSentence(label, timeout.aborted ? timeout.reason : cause);
    return new CloudError("unavailable", sentence, { cause, isUncertain: !unsentCodes.has(systemCodeOf(cause)) });
  }
}

const unsentCodes = new Set<unknown>([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const systemCodeOf = (error: unknown): unknown =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? systemCodeOf(error.cause)) : undefined;

// Providers quote the values they received.
function withoutSecrets(error: CloudError, { credentials }: CloudAccess): CloudError {
  const values = Object.values(credentials).filter((value) => value.length >= 8);
  for (const value of values) error.message = error.message.replaceAll(value, "…");
  // A private key from user data.
  error.message = error.message.replace(/-----BEGIN.*/s, "…");
  return error;
}

/** Parses a JSON answer. Throws CloudError when it has another form than `schema`. */
export function readJson<Schema extends TSchema>(label: string, schema: Schema, text: string): Static<Schema> {
  return readShape(label, schema, parseJson(label, text));
}

/** JSON of a bounded depth. Throws CloudError for anything else. */
export function parseJson(label: string, text: string): unknown {
  if (nesting(text) > deepestNesting) throw unreadable(label, "it is nested too deeply");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(label, "it is not JSON", cause);
  }
}

/** The value if it has the form. Otherwise throws CloudError, which names the place and never the content. */
export function readShape<Schema extends TSchema>(label: string, schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value as Static<Schema>;
  const [first] = Value.Errors(schema, value);
  throw unreadable(label, `${first?.instancePath || "it"} has another form than documented`);
}

/**
 * Which entries of a list have to be readable. all: the list is a look-up of our own resources, and one that is left out would
 * be ordered again or stay. some: an answer of which nothing can be read is a failure. any: an account may hold what we do not
 * know.
 */
export type Reading = "all" | "some" | "any";

/** The readable entries of a list; reports the others. Throws CloudError as `reading` demands. */
export function readItems<Item extends TSchema>(
  label: string,
  access: Pick<CloudAccess, "onSkipped">,
  { list, item, values, reading }: { list: string; item: Item; values: readonly unknown[]; reading: Reading },
): Static<Item>[] {
  const readable = values.filter((value): value is Static<Item> => Value.Check(item, value));
  const odd = values.filter((value) => !Value.Check(item, value));
  if (odd.length > 0 && (reading === "all" || (reading === "some" && readable.length === 0))) {
    readShape(label, item, odd[0]);
  }
  for (const value of odd) access.onSkipped?.(skippedOf(list, item, value));
  return readable;
}

function skippedOf(list: string, item: TSchema, value: unknown): SkippedItem {
  const [first] = Value.Errors(item, value);
  const place = first?.instancePath || "it";
  return { list, item: identityOf(value), reason: `${place} has another form than documented` };
}

// What a reader recognizes an entry by, the first choice first; ids of EC2 are named after their kind.
const identities = [/^(slug|instanceType)$/, /^name$/, /^(id|ip)$/, /Id$/];

function identityOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const words = Object.entries(value).filter(
    ([, each]) => typeof each === "number" || (typeof each === "string" && /^[\w.:-]{1,60}$/.test(each)),
  );
  const found = identities
    .map((pattern) => words.find(([name]) => pattern.test(name)))
    .find((each) => each !== undefined);
  return found ? String(found[1]) : null;
}

// The effect of a call whose answer cannot be read is unknown.
export const unreadable = (label: string, reason: string, cause?: unknown): CloudError =>
  new CloudError("unavailable", `The answer of ${label} cannot be read: ${reason}.`, { cause, isUncertain: true });

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const mostPages = 100;

/** All items of a paged list. `next` is undefined at the end. Throws CloudError when the pages do not end. */
export async function listPages<Item, Cursor>(
  label: string,
  readPage: (cursor: Cursor | undefined) => Promise<{ items: readonly Item[]; next: Cursor | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: Cursor | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, next } = await readPage(cursor);
    all.push(...items);
    if (next === undefined) return all;
    cursor = next;
  }
  throw unreadable(label, "a list has no end");
}
