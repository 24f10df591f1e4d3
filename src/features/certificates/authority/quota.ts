import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Db } from "../../../db/sql.ts";
import type { AcmeError } from "../../../providers/acme/problem.ts";
import { deleteRequests, findFreeTime, findPause, insertPause, insertRequests, lockAuthority } from "./queries.ts";
import { registeredDomain } from "./registered-domain.ts";

// Limits the requests to an authority, for all organizations and processes together: the authority counts by account, and the
// installation has one account. Too many requests lead to refusals for all customers, for hours or days.

type Settings = Pick<Context["config"], "acmeAccountLimit" | "acmeDomainLimit" | "acmeSameNamesLimit">;

export interface OrderRequest {
  directory: string;
  names: readonly string[];
  /** For exactly the names of the served certificate: authorities have looser limits for those. */
  isRenewal: boolean;
  /** The requesting order: it is counted once, however often it asks. */
  orderId?: number;
}

/** The order must wait. */
export interface Wait {
  until: Date;
  /** A sentence with the time. */
  reason: string;
}

interface Limit {
  scope: string;
  most: number;
  windowSeconds: number;
  what: string;
}

const hour = 3_600;
const day = 24 * hour;
/** How often the validation of a name may fail in an hour: Let's Encrypt's limit. */
const failuresOfName = 5;
/** For a refusal without a duration. */
const pauseMs = hour * 1_000;

/** Counts the order against the authority's limits, in a separate transaction; or returns how long it has to wait. */
export async function reserveQuota(
  tx: PoolClient,
  settings: Settings,
  request: OrderRequest,
): Promise<Wait | undefined> {
  const wait = await findWait(tx, settings, request);
  if (wait) return wait;
  const counted = limitsOf(settings, request).map(({ scope }) => scope);
  await insertRequests(
    tx,
    request.directory,
    counted.filter((scope) => !scope.startsWith("failed:")),
    request.orderId,
  );
  return undefined;
}

/** How long the order has to wait; until the end of the transaction no other one is decided. */
export async function findWait(tx: PoolClient, settings: Settings, request: OrderRequest): Promise<Wait | undefined> {
  const { directory, names, orderId } = request;
  await lockAuthority(tx, directory);
  const pause = await findPause(tx, directory, [
    "account",
    setOf(names),
    ...domainsOf(names).map((domain) => `domain:${domain}`),
    ...names.map((name) => `failed:${name}`),
  ]);
  if (pause) return { until: new Date(pause.until), reason: `${pause.reason} ${nextTime(new Date(pause.until))}` };
  for (const limit of limitsOf(settings, request)) {
    const until = await findFreeTime(tx, directory, limit, orderId);
    if (until) return { until, reason: `${limit.what} ${nextTime(until)}` };
  }
  return undefined;
}

/** Counts an order that the authority accepted, for callers that have not reserved its quota. */
export const countAccepted = (db: Db, { directory }: OrderRequest): Promise<void> =>
  insertRequests(db, directory, ["account"]);

/** Counts a certificate that the authority issued, as `countAccepted`. */
export const countIssued = (db: Db, { directory, names, isRenewal }: OrderRequest): Promise<void> =>
  insertRequests(db, directory, [
    setOf(names),
    ...(isRenewal ? [] : domainsOf(names).map((domain) => `domain:${domain}`)),
  ]);

/** The authority was not reached, or did not accept the order: neither it nor Longshore counts the order. */
export const releaseQuota = (db: Db, orderId: number): Promise<void> => deleteRequests(db, orderId);

/** Records the authority's refusal: no request that it applies to is sent until its time is over. */
export async function recordRateLimit(db: Db, request: OrderRequest, refusal: AcmeError): Promise<Wait> {
  const until = refusal.retryAfter ?? new Date(Date.now() + pauseMs);
  const scope = scopeOf(request.names, refusal.message);
  const reason = `The authority takes no more orders for now: ${sentence(refusal.message)}`;
  await insertPause(db, request.directory, { scope, until, reason });
  return { until, reason: `${reason} ${nextTime(until)}` };
}

// Only the authority's message names its subject: if it cannot be parsed, all orders wait.
function scopeOf(names: readonly string[], words: string): string {
  if (/exact(?:ly the same)? set of /i.test(words)) return setOf(names);
  const named = names.toSorted((one, other) => other.length - one.length).find((name) => words.includes(name));
  if (named && /failed (?:authorization|validation)/i.test(words)) return `failed:${named}`;
  const domain = domainsOf(names).find((each) => words.includes(each));
  return domain ? `domain:${domain}` : "account";
}

/** Counts failed validations, which authorities limit by name. */
export const countFailures = (db: Db, directory: string, names: readonly string[]): Promise<void> =>
  insertRequests(
    db,
    directory,
    names.map((name) => `failed:${name}`),
  );

function limitsOf(settings: Settings, { names, isRenewal }: OrderRequest): Limit[] {
  const account = {
    scope: "account",
    most: settings.acmeAccountLimit,
    windowSeconds: 3 * hour,
    what: `This installation has ordered ${settings.acmeAccountLimit} certificates in three hours, as many as it may.`,
  };
  const same = {
    scope: setOf(names),
    most: settings.acmeSameNamesLimit,
    windowSeconds: 7 * day,
    what: `For these very names ${settings.acmeSameNamesLimit} certificates were ordered in seven days, as many as may be.`,
  };
  const domains = domainsOf(names).map((domain) => ({
    scope: `domain:${domain}`,
    most: settings.acmeDomainLimit,
    windowSeconds: 7 * day,
    what: `For ${domain} ${settings.acmeDomainLimit} certificates were ordered in seven days, as many as may be.`,
  }));
  const failures = names.map((name) => ({
    scope: `failed:${name}`,
    most: failuresOfName,
    windowSeconds: hour,
    what: `The proof of ${name} has failed ${failuresOfName} times in an hour, as often as it may.`,
  }));
  return [account, same, ...(isRenewal ? [] : domains), ...failures].filter(({ most }) => most > 0);
}

const setOf = (names: readonly string[]): string => `names:${names.toSorted().join(",")}`;

const domainsOf = (names: readonly string[]): string[] => [...new Set(names.map(registeredDomain))];

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const nextTime = (until: Date): string => `The next one can be ordered from ${formatTime(until)} on.`;

/** `2026-03-01 10:20 UTC`, rounded up, so that the wait is over at that time. */
export const formatTime = (time: Date): string => {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  return `${minute.toISOString().slice(0, 16).replace("T", " ")} UTC`;
};
