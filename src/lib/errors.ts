/**
 * The one list of error codes for readers, each with its HTTP status. Any error that is not an AppError is a bug and
 * answers 500 without details.
 */
export const errorStatus = {
  malformed_json: 400,
  unauthenticated: 401,
  forbidden: 403,
  plan_limit: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  refused: 422,
  rate_limited: 429,
  unavailable: 503,
  // Failures of work on a server; they end in a record rather than in an HTTP answer.
  server_unreachable: 503,
  host_key_changed: 503,
  authentication_refused: 503,
  run_failed: 500,
  configuration: 500,
  data_directory_in_use: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Field name (dotted when nested) to one sentence about its error. */
export type FieldErrors = Record<string, string>;

export interface AppErrorOptions {
  cause?: unknown;
  fields?: FieldErrors;
  /** Sentences about the request that are no errors. */
  warnings?: readonly string[];
  /** Which of the refusals of its code it is; the code when omitted. */
  reason?: string;
  headers?: Record<string, string>;
  /** Whether a retry of the same cannot help. */
  permanent?: boolean;
  /** The wait that an outside service requested. */
  retryAfterMs?: number | undefined;
}

/** A failure reported to the reader: a code from the list, and a sentence that states what failed, on what, and what to do. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly warnings: readonly string[];
  readonly reason: string;
  readonly headers: Record<string, string>;
  readonly permanent: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.warnings = options.warnings ?? [];
    this.reason = options.reason ?? code;
    this.headers = options.headers ?? {};
    this.permanent = options.permanent ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** 422 with one sentence per invalid field. */
export const invalid = (fields: FieldErrors, warnings: readonly string[] = []): AppError => {
  const sentences = Object.values(fields);
  const more = sentences.length > 1 ? ` (and ${sentences.length - 1} more)` : "";
  return new AppError("invalid", `${sentences[0] ?? "The request is not valid."}${more}`, { fields, warnings });
};

/** 404: also for everything out of the actor's reach, so that a caller does not learn that it exists. */
export const notFound = (what: string): AppError => new AppError("not_found", `${what} was not found.`);

/**
 * The sentence about a failure that a record keeps for its readers. Any error other than an AppError is a bug, whose message is
 * for the log only: `logBug` writes it there.
 */
export function failureSentence(error: unknown, logBug: (error: unknown) => void): string {
  if (error instanceof AppError) return error.message;
  logBug(error);
  return "The work failed unexpectedly; the log of Longshore has the details.";
}

/** The message of any thrown value; never a stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
