import { Type } from "typebox";
import { type CloudAnswer, quoted, readRefusal } from "../call.ts";
import { CloudError, type OrderField } from "../driver.ts";

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
  const { id, message } = readRefusal(Refusal, text) ?? {
    id: String(status),
    message: `it answered with status ${status}`,
  };
  const words = `${quoted(message)} (${quoted(id)})`;
  if (status === 401) return refusedToken("refused the token: it is wrong, has expired or was revoked", words, id);
  if (status === 403) return refusedToken("does not permit this with the token", words, id);
  if (status === 429) return limited(headers, words);
  if (status >= 500 || status === 408) {
    return new CloudError("unavailable", `${label} failed: ${words}.`, { isUncertain: true, cause: id });
  }
  // Another action on the same resource is running.
  if (status === 409 || /pending event|is locked|currently locked/i.test(message)) {
    return new CloudError("unavailable", `${label} is busy with it: ${words}.`, { retryAfterMs: 10_000, cause: id });
  }
  return new CloudError(status === 404 ? "not_found" : "refused", `${label} refused: ${words}.`, {
    permanent: true,
    field: fieldWords.find(([pattern]) => pattern.test(message))?.[1],
    cause: id,
  });
}

const refusedToken = (what: string, words: string, cause: string): CloudError =>
  new CloudError("refused", `${label} ${what}: ${words}.`, { field: "credentials", permanent: true, cause });

// `retry-after` comes only with the limit per minute. After the limit per hour, the oldest call of the hour has to
// expire.
function limited(headers: Headers, words: string): CloudError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const untilReset = Number(headers.get("ratelimit-reset") ?? Number.NaN) - Date.now() / 1000;
  const wait = [seconds, untilReset].find((each) => Number.isFinite(each) && each > 0) ?? 1;
  return new CloudError("unavailable", `${label} allows no more calls at present: ${words}.`, {
    retryAfterMs: Math.ceil(Math.min(wait, 3_600) * 1000),
    cause: "too_many_requests",
  });
}

export const isMissing = (error: unknown): boolean => error instanceof CloudError && error.code === "not_found";

export const isForbidden = (error: unknown): boolean => error instanceof CloudError && error.cause === "forbidden";
