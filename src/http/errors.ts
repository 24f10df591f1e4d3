import { isOutage, outageSentence } from "../db/outage.ts";
import { isConflict } from "../db/transaction.ts";
import { AppError, type ErrorCode, messageOf } from "../lib/errors.ts";
import { ChangedSince } from "./expected.ts";

export interface ErrorBody {
  status: "error";
  message: string;
  errors?: Record<string, string>;
  warnings?: readonly string[];
  current?: unknown;
}

/** An answer as it goes over the wire. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The maximum size of the body of a request, in bytes, unless its route sets another. */
export const usualBodyLimit = 1024 * 1024;

/**
 * `{status, message}`; `errors` when fields are invalid, `warnings` when others are unknown, and `current` when the record has
 * changed.
 */
export const errorBody = (error: AppError): ErrorBody => ({
  status: "error",
  message: error.message,
  ...detailsOf(error),
});

const detailsOf = (error: AppError): Omit<ErrorBody, "status" | "message"> => ({
  ...(error.fields === undefined ? {} : { errors: error.fields }),
  ...(error.warnings.length === 0 ? {} : { warnings: error.warnings }),
  ...(error instanceof ChangedSince && error.current !== undefined ? { current: error.current } : {}),
});

/**
 * The answer to the reader for any thrown value. A bug stays a bug: for `undefined` the caller answers 500 without
 * details.
 */
export function readable(error: unknown, bodyLimit = usualBodyLimit): AppError | undefined {
  if (error instanceof AppError) return error;
  const { code: given } = (error ?? {}) as { code?: unknown };
  const code = typeof given === "string" ? given : "";
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(bodyLimit, error);
  const known = frameworkErrors[code];
  if (known) return new AppError(known[0], known[1], { cause: error });
  if (code.startsWith("FST_") && (error as { statusCode?: unknown }).statusCode === 400) {
    return new AppError("malformed_json", "The request is not complete or not well-formed.", { cause: error });
  }
  if (isOutage(error)) {
    return new AppError("unavailable", outageSentence(error), { cause: error, headers: { "Retry-After": "5" } });
  }
  // PostgreSQL's disk_full, and the message of the embedded one when the disk is full at a worse moment.
  if (code === "53100" || code === "ENOSPC" || /No space left on device/.test(messageOf(error))) {
    return new AppError("unavailable", "The disk of Longshore's database is full. Make room on it, and try again.", {
      cause: error,
      headers: { "Retry-After": "60" },
    });
  }
  // As after several attempts at a transaction.
  if (isConflict(error)) {
    return new AppError("unavailable", "Another request changed the same records. Try again in a moment.", {
      cause: error,
      headers: { "Retry-After": "1" },
    });
  }
  // The last check behind the schemas: PostgreSQL's class 22 means that a value cannot be stored in its type.
  if (/^22(003|021|P05|P02|001|008)$/.test(code)) {
    return new AppError("invalid", "The request holds a value that is out of range or cannot be stored.", {
      cause: error,
    });
  }
  return undefined;
}

export const tooLarge = (limit: number, cause?: unknown): AppError =>
  new AppError("body_too_large", `The body is larger than ${limit / 1024 / 1024} MiB. Send less in one request.`, {
    cause,
  });

const frameworkErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "The body must be JSON, with Content-Type: application/json.",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["malformed_json", "The body does not have the length that Content-Length says."],
  FST_ERR_BAD_URL: ["not_found", "There is nothing at this address."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "There is nothing at this address."],
};

/** The answer for any thrown value; the request id in a 500 points the reader to the log. */
export function errorAnswer(error: unknown, requestId: string, bodyLimit?: number): WireAnswer {
  const known = readable(error, bodyLimit);
  if (known) return { status: known.status, headers: known.headers, body: JSON.stringify(errorBody(known)) };
  const message = `Something went wrong on our side. The log has the details under the request id ${requestId}.`;
  return { status: 500, headers: {}, body: JSON.stringify({ status: "error", message }) };
}

export const json = "application/json; charset=utf-8";
