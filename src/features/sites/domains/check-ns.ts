import { isIPv6 } from "node:net";
import type { Static } from "typebox";
import { bookkeeping } from "../../../db/transaction.ts";
import { emitEvents } from "../../../engine/events.ts";
import { domainError, domainName } from "../../../host/domain.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type Resolution, resolveAddresses } from "../../../lib/dns.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getProject } from "../../projects/actions.ts";
import { findServer } from "../../servers/queries.ts";
import { namesClaimed } from "../../site-records/names.ts";
import { findAddress, type NamesChecked, storeChecks } from "./queries.ts";
import type { CheckedName, NamesRequest } from "./schema.ts";

/** Whether a domain of the project (default: the primary one) points at its server, and what to change if not. */
export async function checkNs(ctx: RequestContext, projectId: number, domainId: number | undefined) {
  const project = await getProject(ctx, projectId);
  const domain = project.site.domains.find((each) => (domainId === undefined ? each.is_primary : each.id === domainId));
  if (!domain) throw notFound("The domain");
  const serverId = project.site.front_server_id;
  const expected = await findAddress(ctx.pool, serverId);
  const { www_redirect } = project.site;
  // With www_redirect the other form has to point here too, or its visitors are not redirected.
  const names = await lookUp(ctx, namesClaimed({ domains: [domain], www_redirect }), expected);
  await recordChecks(ctx, { serverId, projectId, expected }, names);
  return checked(domain.domain_name, names, expected);
}

/** Whether names point at a server, before a project has them. */
export async function checkNames(ctx: RequestContext, { server_id: serverId, domains }: Static<typeof NamesRequest>) {
  const server = await findServer(ctx.pool, ctx.actor, serverId);
  if (!server) throw invalid({ server_id: serverMissing });
  const expected = server.public_ip;
  const names = await lookUp(ctx, [...new Set(domains.map((text) => domainName(text) as string))], expected);
  await recordChecks(ctx, { serverId, projectId: null, expected }, names);
  return { data: names.map((each) => checked(each.name, [each], expected)) };
}

/** The errors of a look-up of names, beyond its schema. */
export async function checkNamesRequest(
  ctx: RequestContext,
  { body: { server_id: serverId, domains = [] } }: { body: Partly<Static<typeof NamesRequest>> },
): Promise<FieldErrors> {
  const server = serverId === undefined || (await findServer(ctx.pool, ctx.actor, serverId));
  const wrong = domains.map((text, at) => [`domains.${at}`, domainError(text)] as const);
  return Object.fromEntries([
    ...(server ? [] : [["server_id", serverMissing]]),
    ...wrong.filter(([, sentence]) => sentence !== undefined),
  ]);
}

const serverMissing = "The server does not exist.";

const lookUp = (ctx: RequestContext, names: readonly string[], expected: string | null): Promise<CheckedName[]> =>
  Promise.all(
    names.map(async (name) => {
      const resolution = await resolveAddresses(name, { servers: ctx.config.dnsServers });
      const { addresses, chain } = resolution;
      return { name, addresses, chain, ...verdict(name, expected, resolution) };
    }),
  );

/** Stores what was found, and announces what differs from before. */
const recordChecks = (ctx: RequestContext, of: Omit<NamesChecked, "organizationId">, names: readonly CheckedName[]) =>
  bookkeeping(ctx.pool, async (tx) => {
    const { organizationId } = ctx.actor;
    const { serverId, projectId } = of;
    const changed = await storeChecks(tx, { ...of, organizationId }, names);
    const name = "dns.updated";
    await emitEvents(
      tx,
      changed.map((domain) => ({ organizationId, serverId, projectId, name, data: { domain } })),
    );
  });

function checked(domain: string, names: CheckedName[], expected: string | null) {
  const [asked] = names;
  const failed = names.find((each) => !each.ok);
  return {
    status: failed ? ("failed" as const) : ("success" as const),
    domain,
    expected_ip: expected,
    resolved_ip: asked ? comparableAddress(asked.addresses, expected) : null,
    message: (failed ?? asked)?.message ?? "",
    names,
  };
}

/** The address to show beside the expected one: of its kind, if the name has one. */
const comparableAddress = (addresses: readonly string[], expected: string | null): string | null =>
  addresses.find((address) => expected !== null && isSameKind(address, expected)) ?? addresses[0] ?? null;

const isSameKind = (one: string, other: string): boolean => isIPv6(one) === isIPv6(other);

export interface Verdict {
  ok: boolean;
  message: string;
}

/** Compares the DNS records of a name with the address of the server. */
export function verdict(name: string, expected: string | null, { addresses, chain, error }: Resolution): Verdict {
  if (expected === null)
    return failed(`The address of the server is not known yet, so ${name} cannot be compared with it.`);
  const same = addresses.filter((address) => isSameKind(address, expected));
  const others = same.filter((address) => !isSame(address, expected));
  if (others.length < same.length)
    return others.length === 0 ? pointsHere(name, expected, addresses) : alsoElsewhere(name, expected, others);
  if (error) return failed(sentences[error.reason]({ name, at: error.name, record: recordFor(expected) }));
  const now = `${chain.length === 0 ? "it points" : `it is an alias (CNAME) of ${chain.join(", then ")}, which points`} to ${addresses.join(", ")} now`;
  return failed(
    `Create ${recordFor(expected)} for ${name}${chain.length === 0 ? "" : " instead of its alias"}; ${now}.`,
  );
}

const failed = (message: string): Verdict => ({ ok: false, message });

const recordFor = (address: string): string =>
  isIPv6(address) ? `an AAAA record with ${address}` : `an A record with ${address}`;

function pointsHere(name: string, expected: string, addresses: readonly string[]): Verdict {
  const further = addresses.filter((address) => !isSame(address, expected));
  const message = `${name} points to ${expected}, the address of the server.`;
  if (further.length === 0) return { ok: true, message };
  const kind = isIPv6(expected) ? "A" : "AAAA";
  // The server may have that address too: Longshore knows only the one that it connects to.
  return {
    ok: true,
    message: `${message} It has ${kind} records as well (${further.join(", ")}): if they are not the server's, remove them.`,
  };
}

const alsoElsewhere = (name: string, expected: string, others: readonly string[]): Verdict =>
  failed(
    `Remove the ${isIPv6(expected) ? "AAAA" : "A"} ${others.length === 1 ? "record" : "records"} of ${name} with ${others.join(", ")}: only ${expected} is the server.`,
  );

interface Failing {
  name: string;
  /** The name that failed: an alias, or the name itself. */
  at: string;
  record: string;
}

const sentences: Record<NonNullable<Resolution["error"]>["reason"], (failing: Failing) => string> = {
  missing: ({ name, at, record }) =>
    name === at
      ? `Create ${record} for ${name}; it does not exist in the DNS now.`
      : `Create ${record} for ${name} instead of its alias; it leads to ${at}, which does not exist.`,
  empty: ({ name, at, record }) =>
    name === at
      ? `Create ${record} for ${name}; it has no address now.`
      : `Create ${record} for ${name} instead of its alias; it leads to ${at}, which has no address.`,
  timeout: ({ name, at }) =>
    `The DNS did not answer in time for ${at}, so where ${name} points is not known. Try again in a moment; if it stays so, the name servers of the domain do not answer.`,
  broken: ({ name, at }) =>
    `The DNS answers with a failure for ${at}, so ${name} leads nowhere. Look at the name servers of the domain, at DNSSEC, and whether its aliases lead in a circle.`,
  refused: ({ name }) =>
    `The DNS servers that Longshore asks refuse to answer or cannot be reached, so where ${name} points is not known. LONGSHORE_DNS sets others.`,
};

// IPv6 has many spellings of an address.
const isSame = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (address: string): string => (isIPv6(address) ? new URL(`http://[${address}]`).hostname : address);
