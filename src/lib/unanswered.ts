import { getSystemErrorName } from "node:util";
import { messageOf } from "./errors.ts";

const timedOut = "did not answer in time";
const closed = "closed the connection without an answer";
const noRoute = "is at an address to which there is no route from here";
const untrusted = "has a certificate of an authority that is not trusted";

const reasons: Record<string, string> = {
  ENOTFOUND: "has a name without an address",
  EAI_AGAIN: "has a name that could not be looked up",
  ECONNREFUSED: "refused the connection",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: timedOut,
  ABORT_ERR: timedOut,
  UND_ERR_CONNECT_TIMEOUT: timedOut,
  UND_ERR_HEADERS_TIMEOUT: timedOut,
  UND_ERR_BODY_TIMEOUT: timedOut,
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate without those of its authority",
};

/**
 * Why a request to an outside service got no answer, as what the service does: "refused the connection". Undefined for an error that
 * is not about the connection.
 */
export function unansweredReason(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { name, code, errno, errors, cause } = error as { [field: string]: unknown };
  if (name === "AbortError" || name === "TimeoutError") return timedOut;
  // Of several parallel attempts, one for each address, the first is enough. fetch has its reason as the cause.
  const inner = Array.isArray(errors) ? errors[0] : cause;
  return reasons[String(code)] ?? reasonOfNumber(errno) ?? unansweredReason(inner);
}

/** nodemailer replaces the code by one of its own. */
const reasonOfNumber = (errno: unknown): string | undefined =>
  typeof errno === "number" && errno < 0 ? reasons[getSystemErrorName(errno)] : undefined;

/** `name` is a host or a service: "GitHub could not be reached: it refused the connection." */
export function unreachableSentence(name: string, error: unknown): string {
  const reason = unansweredReason(error);
  return `${name} could not be reached: ${reason ? `it ${reason}` : messageOf(innermost(error))}.`;
}

const innermost = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
