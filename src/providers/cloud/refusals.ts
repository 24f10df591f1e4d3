import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import type { CloudAnswer } from "./call.ts";
import { CloudError, type OrderField } from "./driver.ts";

/** What a provider means by a refusal. */
export interface Meaning {
  field?: OrderField | undefined;
  /** Default: a retry fails the same way. */
  passes?: true;
  /** The effect is unknown. */
  isUncertain?: true;
  retryAfterMs?: number;
  /** Default: "refused". */
  sentence?: string;
}

export const failed: Meaning = { passes: true, isUncertain: true };

export const wait = (retryAfterMs: number): Meaning => ({ passes: true, retryAfterMs });

/** The error of a refusal, its code as `cause`. */
export function errorOf(
  { label, code, message, isMissing }: { label: string; code: string; message: string; isMissing: boolean },
  meaning: Meaning,
): CloudError {
  const { field, isUncertain, retryAfterMs, sentence = "refused" } = meaning;
  const permanent = meaning.passes !== true;
  const errorCode = isMissing ? "not_found" : permanent ? "refused" : "unavailable";
  const words = `${label} ${sentence}: ${quoted(message)} (${quoted(code)}).`;
  return new CloudError(errorCode, words, { permanent, field, isUncertain, retryAfterMs, cause: code });
}

/**
 * The error of an answer that no API of the provider gives: a page, a cut body or a redirect. A proxy or firewall on the way may
 * have sent it, so it proves nothing about the credentials, and nothing about what exists.
 */
export function foreignAnswer(label: string, { status }: Pick<CloudAnswer, "status">): CloudError {
  const what = status >= 300 && status < 400 ? "a redirect" : "something that is not its API's";
  const sentence = `${label} answered with status ${status} and ${what}: a proxy or a firewall on the way may have answered instead.`;
  return new CloudError("unavailable", sentence, { isUncertain: status !== 429, cause: String(status) });
}

/** A provider's own message inside one of our sentences: one line, bounded. */
export const quoted = (words: string): string =>
  words
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);

/** The refusal in an answer of JSON; undefined for another form: proxies in front of an API have their own. */
export function readRefusal<Shape extends TSchema>(shape: Shape, text: string): Static<Shape> | undefined {
  if (text.length > 100_000) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return Value.Check(shape, body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The provider's code of a refusal; empty for other errors. */
export const codeOf = (error: unknown): string =>
  error instanceof CloudError && typeof error.cause === "string" ? error.cause : "";

/** The result of a call, or undefined when its resource does not exist. */
export async function whenExists<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CloudError && error.code === "not_found") return undefined;
    throw error;
  }
}
