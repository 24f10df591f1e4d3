import { retryAfterMs } from "../../lib/http-answers.ts";

/** An answer of the authority. */
export interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  /** Empty when the answer is not a JSON object. */
  body: Record<string, unknown>;
  text: string;
}

interface Problem {
  /** The last part of its URN, such as `rateLimited`; `network` when there was no answer. */
  type: string;
  /** The authority's own message. */
  detail: string;
  /** 0: there was no answer. */
  status: number;
  retryAfter?: Date | undefined;
  cause?: unknown;
}

/** A refusal or failure of a certificate authority. */
export class AcmeError extends Error {
  override readonly name = "AcmeError";
  readonly type: string;
  readonly status: number;
  /** When the authority allows the next request; undefined: it gave no time. */
  readonly retryAfter: Date | undefined;

  constructor({ type, detail, status, retryAfter, cause }: Problem) {
    super(detail, { cause });
    this.type = type;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether a rate limit was hit, our own or a global one. */
  get isLimit(): boolean {
    return this.type === "rateLimited" || this.status === 429 || (this.status === 503 && this.retryAfter !== undefined);
  }

  /** Whether the same request may succeed in a moment. */
  get isPassing(): boolean {
    return this.type === "network" || this.type === "badNonce" || this.type === "serverInternal" || this.status >= 500;
  }
}

/** The problem document of an answer, with the details of its subproblems. */
export function problemOf({ status, headers, body }: Reply): AcmeError {
  const { type, detail, subproblems } = body as { type?: unknown; detail?: unknown; subproblems?: unknown };
  const name = typeof type === "string" ? (type.split(":").at(-1) ?? type) : "unknown";
  const summary = typeof detail === "string" && detail !== "" ? detail : `It answered with status ${status}.`;
  const more = (Array.isArray(subproblems) ? subproblems : []).flatMap((each: { detail?: unknown }) =>
    typeof each?.detail === "string" ? [each.detail] : [],
  );
  const now = Date.now();
  const waitMs = retryAfterMs(headers["retry-after"], now);
  const retryAfter = waitMs === undefined ? undefined : new Date(now + waitMs);
  return new AcmeError({ type: name, detail: [summary, ...more].join(" ").slice(0, 1_000), status, retryAfter });
}
