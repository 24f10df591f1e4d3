import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type TLSSocket } from "node:tls";
import { lazy } from "../../../lib/lazy.ts";
import type { Method } from "../schema.ts";
import { closedEarly, readAnswer, Unreadable } from "./answer.ts";
import type { Reach } from "./reach.ts";
import type { Resolved } from "./resolver.ts";

/** A request to an address, and the expected response. */
export interface Check {
  url: string;
  method: Method;
  /** null: any 2xx. */
  expectedStatus: number | null;
  timeoutMs: number;
}

export interface CheckDeps {
  resolve: (name: string) => Promise<Resolved>;
  mayReach: Reach;
  /** Trusted in place of the usual authorities (PEM). */
  authorities?: readonly string[];
  /** Ends the check: its result is no longer needed. */
  signal?: AbortSignal;
}

/** Why a check failed, for programs. */
export type CheckError =
  | "dns_lookup_failed"
  | "address_not_allowed"
  | "connection_refused"
  | "connection_closed"
  | "unreachable"
  | "timeout"
  | "tls_failed"
  | "certificate_expired"
  | "certificate_invalid"
  | "invalid_response"
  | "unexpected_status"
  /** This process could not check: it was stopped, suspended or out of resources. Proves nothing about the address. */
  | "not_checked";

/** Milliseconds from the beginning of the check to the end of each phase that was reached. */
export interface Phases {
  dns?: number;
  connect?: number;
  tls?: number;
  first_byte?: number;
  whole?: number;
}

export type Addresses = readonly [string, ...string[]];

export interface CheckResult {
  isUp: boolean;
  error?: CheckError;
  /** A sentence. */
  message: string;
  status?: number;
  /** The address that was connected to. */
  address?: string;
  /** What the URL's name or address leads to, all of it within reach; missing if that was not found out. */
  addresses?: Addresses;
  phases: Phases;
  /** The end of the presented certificate, even if it is not valid. */
  certificateExpiresAt?: Date;
}

/** A failure with an error code. */
class Failed extends Error {
  readonly reason: CheckError;
  constructor(reason: CheckError, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Attempt {
  readonly url: URL;
  readonly check: Check;
  readonly deps: CheckDeps;
  readonly startedAt: number;
  readonly seen: Omit<CheckResult, "isUp" | "message" | "error">;
  socket?: Socket;
}

/**
 * Requests an address once, over a new connection, and returns the result within the check's timeout. Never rejects. Does not
 * follow redirects. Connects to exactly the address that was checked against the reach.
 */
export async function runCheck(check: Check, deps: CheckDeps): Promise<CheckResult> {
  const attempt: Attempt = {
    url: new URL(check.url),
    check,
    deps,
    startedAt: performance.now(),
    seen: { phases: {} },
  };
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  const timer = setTimeout(() => end(timedOut(attempt)), check.timeoutMs);
  const stop = () => end(new Failed("not_checked", "The check was stopped."));
  deps.signal?.addEventListener("abort", stop);
  try {
    const status = await Promise.race([askOnce(attempt), ended]);
    const { seen } = attempt;
    const { expectedStatus } = check;
    const isUp = isExpected(status, expectedStatus);
    if (isUp) return { ...seen, isUp, message: `It answered ${status} in ${seen.phases.whole} ms.` };
    const expected = expectedStatus === null ? "a status from 200 to 299" : `${expectedStatus}`;
    return { ...seen, isUp, error: "unexpected_status", message: `It answered ${status} instead of ${expected}.` };
  } catch (error) {
    return { ...attempt.seen, ...failureOf(attempt, error), isUp: false };
  } finally {
    clearTimeout(timer);
    deps.signal?.removeEventListener("abort", stop);
    attempt.socket?.destroy();
  }
}

/** A timer that is later than this shows that the process was stopped or blocked. */
const mostDelayMs = 1_000;

async function askOnce(attempt: Attempt): Promise<number> {
  const tcp = await openConnection(attempt);
  const socket = attempt.url.protocol === "https:" ? await startTls(attempt, tcp) : tcp;
  return request(attempt, socket);
}

/** Whether a status is the expected one; null: any 2xx. */
export const isExpected = (status: number, expected: number | null): boolean =>
  expected === null ? status >= 200 && status < 300 : status === expected;

const elapsed = ({ startedAt }: Attempt): number => Math.round(performance.now() - startedAt);

// Connection ---------------------------------------------------------------------------------------------------------------

function openConnection(attempt: Attempt): Promise<Socket> {
  const { url, deps } = attempt;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A connection to an IP address makes no DNS query, so nothing would be checked.
  if (isIP(host) !== 0) {
    if (!deps.mayReach(host)) throw notAllowed(host);
    attempt.seen.addresses = [host];
  }
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const socket = connectTcp({ host, port, lookup: checkedLookup(attempt), noDelay: true });
  attempt.socket = socket;
  return new Promise((resolve, reject) => {
    socket.once("connect", () => {
      attempt.seen.phases.connect = elapsed(attempt);
      if (socket.remoteAddress !== undefined) attempt.seen.address = socket.remoteAddress;
      resolve(socket);
    });
    // Stays attached, so that a later error ends only this check.
    socket.on("error", reject);
  });
}

const checkedLookup =
  (attempt: Attempt): LookupFunction =>
  (name, options, callback) => {
    void attempt.deps.resolve(name).then(({ addresses, failure }) => {
      attempt.seen.phases.dns = elapsed(attempt);
      const [first, ...others] = addresses;
      if (first === undefined) {
        const reason =
          failure === "missing" ? `${name} has no address in the DNS.` : `The DNS did not answer for ${name}.`;
        return callback(new Failed("dns_lookup_failed", reason), "", 0);
      }
      const refused = addresses.find((address) => !attempt.deps.mayReach(address));
      if (refused !== undefined) return callback(notAllowed(refused, name), "", 0);
      attempt.seen.addresses = [first, ...others];
      const all = addresses.map((address) => ({ address, family: isIP(address) }));
      return options.all ? callback(null, all) : callback(null, first, isIP(first));
    });
  };

const notAllowed = (address: string, name?: string): Failed =>
  new Failed(
    "address_not_allowed",
    `${name === undefined ? "" : `${name} leads to `}${address}${name === undefined ? " is" : ","} a private or reserved address that monitors do not reach.`,
  );

// TLS ------------------------------------------------------------------------------------------------------------------------

// Building a context reads all authorities: all checks share one.
const usualContext = lazy(createSecureContext);

/**
 * No session is resumed: a resumed one carries the certificate of the first handshake, and a bad renewal would be missed. An
 * invalid certificate ends the check after its dates were read, before anything is sent.
 */
function startTls(attempt: Attempt, tcp: Socket): Promise<TLSSocket> {
  const host = attempt.url.hostname.replace(/^\[|\]$/g, "");
  const { authorities } = attempt.deps;
  const socket = connectTls({
    socket: tcp,
    ...(authorities ? { ca: [...authorities] } : { secureContext: usualContext() }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    host,
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: false,
  });
  attempt.socket = socket;
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("close", () => reject(closedEarly));
    socket.once("secureConnect", () => {
      attempt.seen.phases.tls = elapsed(attempt);
      const validTo = socket.getPeerX509Certificate()?.validToDate;
      if (validTo !== undefined && !Number.isNaN(validTo.getTime())) attempt.seen.certificateExpiresAt = validTo;
      if (socket.authorized) resolve(socket);
      else reject(certificateFailure(attempt, socket.authorizationError));
    });
  });
}

function certificateFailure({ url, seen }: Attempt, error: Error | undefined): Failed {
  // Typed as an error, it is the code.
  const code = String((error as { code?: unknown } | undefined)?.code ?? error);
  if (code === "CERT_HAS_EXPIRED") {
    const when = seen.certificateExpiresAt?.toISOString().slice(0, 10);
    return new Failed("certificate_expired", `The certificate of ${url.hostname} expired on ${when}.`);
  }
  const why = certificateReasons[code] ?? `is not valid (${code})`;
  return new Failed("certificate_invalid", `The certificate of ${url.hostname} ${why}.`);
}

const certificateReasons: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "comes from an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "comes from an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "comes without the certificates of its authority",
  CERT_NOT_YET_VALID: "is not valid yet",
};

// Request and answer ---------------------------------------------------------------------------------------------------------

/** The status, once the answer was read. Paths and names in a URL have no characters that could end a line. */
async function request(attempt: Attempt, socket: Socket): Promise<number> {
  const { url, check, seen } = attempt;
  const lines = [
    `${check.method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "User-Agent: Longshore-Monitor",
    "Accept: */*",
    "Connection: close",
    ...(check.method === "POST" ? ["Content-Length: 0"] : []),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const status = await readAnswer(socket, check.method, {
    begun: () => {
      seen.phases.first_byte ??= elapsed(attempt);
    },
    headed: (answered) => {
      seen.status = answered;
    },
  });
  seen.phases.whole = elapsed(attempt);
  return status;
}

// Failures -------------------------------------------------------------------------------------------------------------------

const phaseNames = [
  ["dns", "the DNS did not answer"],
  ["connect", "it did not take the connection"],
  ["tls", "the TLS handshake did not end"],
  ["first_byte", "no answer began"],
] as const;

function timedOut({ url, check, seen, startedAt }: Attempt): Failed {
  if (performance.now() - startedAt > check.timeoutMs + mostDelayMs) {
    return new Failed("not_checked", "Longshore stood still during the check.");
  }
  const isSkipped = (phase: keyof Phases) =>
    (phase === "dns" && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) ||
    (phase === "tls" && url.protocol !== "https:");
  const at = phaseNames.find(([phase]) => seen.phases[phase] === undefined && !isSkipped(phase));
  const what = at?.[1] ?? "the answer did not end";
  return new Failed("timeout", `Within ${check.timeoutMs / 1_000} seconds, ${what}.`);
}

/** This machine has run out of a resource. */
const ownFailures = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL", "EAGAIN"]);

const known: Record<string, [CheckError, string]> = {
  ECONNREFUSED: ["connection_refused", "refused the connection"],
  ECONNRESET: ["connection_closed", "closed the connection before the answer ended"],
  EPIPE: ["connection_closed", "closed the connection before the answer ended"],
  EHOSTUNREACH: ["unreachable", "cannot be reached"],
  ENETUNREACH: ["unreachable", "cannot be reached"],
  ETIMEDOUT: ["timeout", "did not take the connection in time"],
};

function failureOf({ url }: Attempt, error: unknown): Pick<CheckResult, "error" | "message"> {
  if (error instanceof Failed) return { error: error.reason, message: error.message };
  if (error instanceof Unreadable) {
    return { error: "invalid_response", message: `The answer of ${url.host} ${error.message}.` };
  }
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  // One error for each address of the name; the first is enough.
  if (errors?.[0] !== undefined) return failureOf({ url } as Attempt, errors[0]);
  const name = typeof code === "string" ? code : "";
  if (ownFailures.has(name)) {
    return { error: "not_checked", message: `Longshore could not open a connection (${name}).` };
  }
  const found = known[name];
  if (found) return { error: found[0], message: `${url.host} ${found[1]}.` };
  if (name.startsWith("ERR_SSL") || name.startsWith("ERR_TLS") || name === "EPROTO") {
    return { error: "tls_failed", message: `${url.host} did not agree on a TLS connection (${name}).` };
  }
  return { error: "invalid_response", message: `${url.host} could not be checked (${name || "no reason given"}).` };
}
