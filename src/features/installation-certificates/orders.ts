import { createPrivateKey, X509Certificate } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { resolveAddresses } from "../../lib/dns.ts";
import { certificateRequest, keyToPem, newCertificateKey } from "../../lib/x509.ts";
import type { AcmeClient, AcmeOrder, Authorization, ChallengeType } from "../../providers/acme/client.ts";
import { AcmeError } from "../../providers/acme/problem.ts";
import type { Authority } from "../certificates/authority/account.ts";
import {
  countAccepted,
  countFailures,
  countIssued,
  findWait,
  type OrderRequest,
  recordRateLimit,
} from "../certificates/authority/quota.ts";
import { renewalTime } from "../certificates/authority/renewal.ts";
import { type Failure, failureOf, NotReady, nextAttempt, OrderLost, Postponed, ProofRejected } from "./failures.ts";
import {
  deleteLapsed,
  deleteOrder,
  findCertificate,
  findOrder,
  insertChallenges,
  insertOrder,
  recordFailure,
  replaceCertificate,
  setOrderUrl,
} from "./queries.ts";
import { type InstallationCertificate, type InstallationOrder, namesOf } from "./schema.ts";

// One process at a time orders, and may die at any line: what the authority has is stored before the next line, and looked up there
// before anything is repeated.

type Deps = Pick<Context, "config" | "pool" | "log" | "secrets"> & { authority: Authority };

/** One try to get a certificate with one kind of proof. */
interface Attempt extends Deps {
  certificate: InstallationCertificate;
  signal: AbortSignal;
}

/** How long the authority may take to validate, and then to issue, before the attempt ends. */
const patienceMs = 90_000;
/** An order that is as old as this is given up. */
const abandonedMs = 24 * 3_600_000;

/** Orders the next certificate of this installation if it is due, or brings the order under way to its end. */
export async function renewIfDue(deps: Deps, signal: AbortSignal): Promise<void> {
  const { pool, config } = deps;
  const names = namesOf(config);
  await deleteLapsed(pool, names);
  const certificate = await findCertificate(pool, names);
  if (!certificate || isInFuture(certificate.retry_at)) return;
  const open = await findOrder(pool, certificate.id);
  if (!open && isInFuture(certificate.renew_at)) return;
  const attempt = { ...deps, certificate, signal };
  try {
    await obtain(attempt, waysToProve(config, open?.challenge ?? certificate.challenge));
  } catch (error) {
    if (signal.aborted) throw error;
    await settleFailure(attempt, error);
  }
}

const isInFuture = (time: string | null): boolean => time !== null && Date.parse(time) > Date.now();

/**
 * The kinds of proof in the order of the attempts: first the one that was successful. Over HTTP, port 80 has to be open as
 * the authority sees it, which cannot be seen from here.
 */
export function waysToProve(
  { httpPort }: Pick<Context["config"], "httpPort">,
  last: ChallengeType | null,
): readonly ChallengeType[] {
  if (httpPort === "off") return ["tls-alpn-01"];
  return last === "tls-alpn-01" ? ["tls-alpn-01", "http-01"] : ["http-01", "tls-alpn-01"];
}

/** When the authority cannot verify the names one way, the other one follows at once. */
async function obtain(attempt: Attempt, [challenge, ...others]: readonly ChallengeType[]): Promise<void> {
  try {
    await order(attempt, challenge as ChallengeType);
  } catch (error) {
    if (!(error instanceof ProofRejected) || others.length === 0) throw error;
    attempt.log.warn(
      { challenge, reason: error.message },
      "this installation could not be verified, trying another way",
    );
    await dropOrder(attempt);
    await obtain(attempt, others);
  }
}

async function order(attempt: Attempt, challenge: ChallengeType): Promise<void> {
  const { authority, pool, certificate, log } = attempt;
  const client = await authority.client();
  const open = await openOrder(attempt, challenge);
  const placed = await place(attempt, client, open);
  const proven = await prove(attempt, client, { open, placed });
  const chain = await fetchChain(attempt, client, { open, placed: proven });
  const { validFromDate: notBefore, validToDate: notAfter } = new X509Certificate(chain);
  const isStored = await transaction(pool, async (tx) => {
    const renewAt = renewalTime(notBefore, notAfter);
    if (!(await replaceCertificate(tx, open, { chain, notBefore, notAfter, renewAt }))) return false;
    await countIssued(tx, requestFor(attempt));
    return true;
  });
  if (isStored) log.info({ names: certificate.names, notAfter }, "the certificate of this installation was issued");
}

// Steps --------------------------------------------------------------------------------------------------------------------

const requestFor = ({ authority, certificate }: Attempt): OrderRequest => ({
  directory: authority.directory,
  names: certificate.names,
  isRenewal: certificate.source === "acme",
});

/** The order under way, or a new one with its key. */
async function openOrder(attempt: Attempt, challenge: ChallengeType): Promise<InstallationOrder> {
  const { pool, secrets, certificate, authority } = attempt;
  const { directory } = authority;
  const known = await findOrder(pool, certificate.id);
  if (known && isUsable(known, directory, challenge)) return known;
  if (known) await deleteOrder(pool, known.id);
  await checkNames(attempt);
  const privateKey = secrets.encrypt(keyToPem(newCertificateKey()));
  const made = await insertOrder(pool, { certificateId: certificate.id, directory, challenge, privateKey });
  if (made) return made;
  throw new Error("Another process orders the certificate of this installation");
}

const isUsable = (known: InstallationOrder, directory: string, challenge: ChallengeType): boolean =>
  known.directory === directory &&
  known.challenge === challenge &&
  Date.parse(known.created_at) > Date.now() - abandonedMs;

/** A name without an address cannot be verified: the authority would only count the failure. */
async function checkNames({ config, certificate }: Attempt): Promise<void> {
  const missing = await Promise.all(
    certificate.names.map(async (name) => {
      const { addresses, error } = await resolveAddresses(name, { servers: config.dnsServers });
      const isKnown = error?.reason === "missing" || error?.reason === "empty";
      return addresses.length === 0 && isKnown ? [name] : [];
    }),
  );
  const names = missing.flat();
  if (names.length === 0) return;
  const subject = `${names.join(", ")} ${names.length === 1 ? "has" : "have"} no address in the DNS`;
  throw new NotReady(`${subject}: add an A or AAAA record with the public address of this machine.`);
}

/** Stored immediately: there is no other way to find an order that the authority has accepted. */
async function place(attempt: Attempt, client: AcmeClient, open: InstallationOrder): Promise<AcmeOrder> {
  const { pool, config, certificate } = attempt;
  if (open.url !== null) return client.getOrder(open.url);
  const request = requestFor(attempt);
  const wait = await transaction(pool, (tx) => findWait(tx, config, request));
  if (wait) throw new Postponed(wait);
  const placed = await client.newOrder(certificate.names);
  await transaction(pool, async (tx) => {
    await setOrderUrl(tx, open.id, placed.url);
    await countAccepted(tx, request);
  });
  return placed;
}

interface Placed {
  open: InstallationOrder;
  placed: AcmeOrder;
}

/** Publishes what the authority asks for, reports it, and waits until the names are verified. */
async function prove(attempt: Attempt, client: AcmeClient, { open, placed }: Placed): Promise<AcmeOrder> {
  if (placed.status === "pending") {
    const pending = (await authorizationsOf(client, placed, open.challenge)).filter(
      (each) => each.status === "pending",
    );
    const challenges = pending.map(({ name, challenge }) => {
      if (challenge) return { ...challenge, name };
      throw new ProofRejected([], [`The authority offers no ${open.challenge} for ${name}.`]);
    });
    await transaction(attempt.pool, (tx) =>
      insertChallenges(
        tx,
        open.id,
        challenges.map(({ token, name }) => ({ token, name, key_authorization: client.keyAuthorization(token) })),
      ),
    );
    // After an interruption, only those that the authority has not received.
    const unanswered = challenges.filter(({ status }) => status === "pending");
    await Promise.all(unanswered.map(({ url }) => client.respond(url)));
  }
  const proven = await awaitOrder(attempt, client, placed.url, (status) => status !== "pending");
  if (proven.status === "invalid") throw await rejectionOf(attempt, client, { open, placed: proven });
  return proven;
}

async function fetchChain(attempt: Attempt, client: AcmeClient, { open, placed }: Placed): Promise<string> {
  const { names } = attempt.certificate;
  const key = createPrivateKey(attempt.secrets.decrypt(open.private_key));
  if (placed.status === "ready") await client.finalize(placed, certificateRequest(names, key).toString("base64"));
  const issued = await awaitOrder(attempt, client, placed.url, (status) => status === "valid" || status === "invalid");
  if (issued.status === "invalid") throw await rejectionOf(attempt, client, { open, placed: issued });
  if (!issued.certificate) throw new OrderLost("The authority issued a certificate and does not give its address.");
  const chain = await client.download(issued.certificate);
  const certificate = new X509Certificate(chain);
  const missing = names.filter((name) => !certificate.checkHost(name));
  if (missing.length > 0) throw new OrderLost(`The authority issued a certificate without ${missing.join(", ")}.`);
  if (!certificate.checkPrivateKey(key)) throw new OrderLost("The authority issued a certificate for another key.");
  return chain;
}

/** Polls, with pauses that grow with the wait. */
async function awaitOrder(
  { signal }: Attempt,
  client: AcmeClient,
  url: string,
  isOver: (status: AcmeOrder["status"]) => boolean,
): Promise<AcmeOrder> {
  const startedAt = performance.now();
  for (;;) {
    const placed = await client.getOrder(url);
    if (isOver(placed.status)) return placed;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > patienceMs) {
      throw new AcmeError({ type: "network", detail: "it did not decide on the order in time.", status: 0 });
    }
    await pause(Math.min(Math.max(waitedMs / 2, 40), 2_000), undefined, { signal });
  }
}

const authorizationsOf = (client: AcmeClient, { authorizations }: AcmeOrder, type: ChallengeType) =>
  Promise.all(authorizations.map((url) => client.getAuthorization(url, type)));

/** What the authority found, for each name; an order may also be over because its time is. */
async function rejectionOf(attempt: Attempt, client: AcmeClient, { open, placed }: Placed): Promise<Error> {
  const failed = (await authorizationsOf(client, placed, open.challenge)).filter(({ status }) => status === "invalid");
  const names = failed.map(({ name }) => name);
  if (names.length === 0) return new OrderLost(placed.error?.message ?? "The authority gave the order up.");
  await countFailures(attempt.pool, attempt.authority.directory, names);
  return new ProofRejected(names, failed.map(reasonOf(open.challenge)));
}

const reasonOf =
  (type: ChallengeType) =>
  ({ name, challenge }: Authorization): string => {
    const port = type === "http-01" ? "HTTP (port 80)" : "HTTPS (port 443)";
    return `The authority could not verify ${name} over ${port}: ${challenge?.error?.message ?? "it gives no reason."}`;
  };

// Failures -----------------------------------------------------------------------------------------------------------------

/** The present certificate stays in service. */
async function settleFailure(attempt: Attempt, error: unknown): Promise<void> {
  const { pool, log, certificate, authority } = attempt;
  const failure = await whatFailed(attempt, error);
  if (error instanceof AcmeError && error.type === "accountDoesNotExist") await authority.forget();
  const retryAt = nextAttempt(certificate.failures + 1, failure);
  await recordFailure(pool, certificate.id, { error: failure.reason, retryAt });
  if (!failure.isOrderKept) await dropOrder(attempt);
  log.warn(
    { names: certificate.names, notAfter: certificate.not_after, retryAt, reason: failure.reason },
    "the certificate of this installation was not issued",
  );
}

async function whatFailed(attempt: Attempt, error: unknown): Promise<Failure> {
  if (error instanceof AcmeError && error.isLimit) {
    const wait = await recordRateLimit(attempt.pool, requestFor(attempt), error);
    return { ...wait, isCounted: false, isOrderKept: true };
  }
  return failureOf(error, (err) => attempt.log.error({ err }, "the order of this installation's certificate failed"));
}

async function dropOrder({ pool, certificate }: Attempt): Promise<void> {
  const open = await findOrder(pool, certificate.id);
  if (open) await deleteOrder(pool, open.id);
}
