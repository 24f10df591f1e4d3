import type { ErrorBody } from "../../../contract/types.ts";

/** A request that the API refused, or that got no answer (status 0). */
export class ApiError extends Error {
  /** The HTTP status; 0: no answer arrived. */
  readonly status: number;
  /** One sentence for each bad field, under its dotted name. */
  readonly fields: Record<string, string>;
  /** Under which the request is in the log of the installation. */
  readonly requestId: string | null;
  /** After a 409 for `expected_updated_at`: the record as it is now. */
  readonly current: unknown;

  constructor(status: number, body: Partial<ErrorBody>, requestId: string | null = null, cause?: unknown) {
    super(body.message ?? "The server did not answer.", { cause });
    this.name = "ApiError";
    this.status = status;
    this.fields = body.errors ?? {};
    this.requestId = requestId;
    this.current = body.current;
  }
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/** The sentence for people, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : "The page failed. Try again.";

/** What stands beside the button that was pressed; sentences about single fields stand at the fields. */
export const refusalText = (error: unknown): string | undefined =>
  error == null || (error instanceof ApiError && Object.keys(error.fields).length > 0) ? undefined : messageOf(error);

/** Sentences for the fields of a form. */
export const fieldErrors = (error: unknown): Record<string, string> | undefined =>
  error instanceof ApiError && Object.keys(error.fields).length > 0 ? error.fields : undefined;
