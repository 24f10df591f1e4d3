import { Type } from "typebox";
import { retryAfterMs } from "../../../lib/http-answers.ts";
import type { CloudAnswer } from "../call.ts";
import type { CloudError, OrderField } from "../driver.ts";
import { errorOf, failed, foreignAnswer, type Meaning, readRefusal, wait } from "../refusals.ts";

export const label = "DigitalOcean";

const Refusal = Type.Object({ id: Type.String(), message: Type.String() });

// A refused order has one code for everything (`unprocessable_entity`); only the message names the field.
const fieldWords: [RegExp, OrderField][] = [
  [/vpc/i, "network"],
  [/limit/i, "server_type"],
  [/\bsize\b/i, "server_type"],
  [/\bimage\b/i, "image"],
  [/\bregion\b/i, "location"],
  [/firewall/i, "firewall"],
  [/reserved ip|floating ip/i, "static_address"],
  [/\bname\b/i, "name"],
];

/** The refusal in an answer, its code as `cause`; undefined for a success. */
export function refusalIn({ status, headers, text }: CloudAnswer): CloudError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const refusal = readRefusal(Refusal, text);
  if (refusal === undefined) return foreignAnswer(label, { status });
  const { id: code, message } = refusal;
  const error = (meaning: Meaning) => errorOf({ label, code, message, isMissing: status === 404 }, meaning);
  if (status === 401) {
    return error({ field: "credentials", sentence: "refused the token: it is wrong, has expired or was revoked" });
  }
  if (status === 403) return error({ field: "credentials", sentence: "does not permit this with the token" });
  if (status === 429) {
    // `retry-after` comes only with the limit per minute. After the limit per hour, the oldest call of the hour has to
    // expire.
    const now = Date.now();
    const untilResetMs = Number(headers.get("ratelimit-reset") ?? Number.NaN) * 1_000 - now;
    const waits = [retryAfterMs(headers.get("retry-after"), now), untilResetMs];
    const waitMs = waits.find((each) => (each ?? 0) > 0) ?? 1_000;
    return error({ ...wait(Math.ceil(Math.min(waitMs, 3_600_000))), sentence: "allows no more calls at present" });
  }
  if (status >= 500 || status === 408) return error({ ...failed, sentence: "failed" });
  // Another action on the same resource is running.
  if (status === 409 || /pending event|is locked|currently locked/i.test(message)) {
    return error({ ...wait(10_000), sentence: "is busy with it" });
  }
  return error({ field: fieldWords.find(([pattern]) => pattern.test(message))?.[1] });
}
