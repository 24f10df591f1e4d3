import type { ErrorBody, SignInRefusal } from "../../../contract/types.ts";

/** A request that the API refused, or that got no answer (status 0). */
export class ApiError extends Error {
  /** The HTTP status; 0: no answer arrived. */
  readonly status: number;
  /** One sentence for each bad field, under its dotted name. */
  readonly fields: Record<string, string>;
  /** Under which the request is in the log of the installation. */
  readonly requestId: string | null;
  /** Of a refused sign-in, for programs: `INVALID_CODE`. */
  readonly code: string | undefined;
  /** After a 409 for `expected_updated_at`: the record as it is now. */
  readonly current: unknown;

  constructor(
    status: number,
    body: Partial<ErrorBody & SignInRefusal>,
    requestId: string | null = null,
    cause?: unknown,
  ) {
    super(body.message ?? "The server did not answer.", { cause });
    this.name = "ApiError";
    this.status = status;
    this.fields = body.errors ?? {};
    this.requestId = requestId;
    this.code = body.code;
    this.current = body.current;
  }
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/** The sentence for people, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "The page failed. Try again.";

/** The sentences of a 422, for the fields of a form. */
export const fieldsOf = (error: unknown): Record<string, string> | undefined =>
  isStatus(error, 422) ? error.fields : undefined;

/** The sentence for beside the button. A form shows those of its fields there instead. */
export const sentenceOf = (error: unknown): string | undefined => (error == null ? undefined : messageOf(error));
