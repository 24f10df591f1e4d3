import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";

/** Why a name has no address, or why its IPv4 or IPv6 addresses are unknown. */
export type DnsFailure =
  /** The name does not exist (NXDOMAIN). */
  | "missing"
  /** The name exists, and has neither an A nor an AAAA record. */
  | "empty"
  /** No server answered in time. */
  | "timeout"
  /** The name's own servers are broken: SERVFAIL, a loop of aliases, or an unreadable answer. */
  | "broken"
  /** The servers refuse to answer, or cannot be reached. */
  | "refused";

export interface Resolution {
  /** IPv4 before IPv6, each in the order of the answer. */
  addresses: string[];
  /** The aliases (CNAME) that lead to the addresses, in order, without the name itself. */
  chain: string[];
  /** Set when there is no address, and when either the IPv4 or the IPv6 addresses are unknown. */
  error?: { reason: DnsFailure /** The name that failed: the requested one or an alias. */; name: string };
}

export interface ResolveOptions {
  /** Addresses, with or without a port (`9.9.9.9`, `127.0.0.1:5353`, `[::1]:53`); empty: the system's servers. */
  servers?: readonly string[];
  /** Timeout of the whole lookup, over all aliases, servers and repetitions. */
  timeoutMs?: number;
}

const longestChain = 8;

/**
 * The addresses of a name in the DNS, following aliases. Never throws: failures are in `error`. Ignores files such as
 * /etc/hosts, since visitors do not see them.
 */
export async function resolveAddresses(
  name: string,
  { servers = [], timeoutMs = 5_000 }: ResolveOptions = {},
): Promise<Resolution> {
  // This timeout is that of one query to one server, and each try waits twice as long as the one before.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const { chain, error } = await followAliases(resolver, name);
    if (error) return { addresses: [], chain, error };
    const target = chain.at(-1) ?? name;
    const answers = await Promise.all([ask(() => resolver.resolve4(target)), ask(() => resolver.resolve6(target))]);
    const addresses = answers.flatMap(({ records }) => records);
    const failures = answers.flatMap(({ failure }) => (failure ? [failure] : []));
    const reason = failures.find((each) => each !== "empty") ?? (addresses.length === 0 ? "empty" : undefined);
    return { addresses, chain, ...(reason ? { error: { reason, name: target } } : {}) };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a text is a DNS server in the form of `servers`. */
export function isDnsServer(text: string): boolean {
  const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = bracketed === undefined ? isIP(plain ?? text) === 4 || isIP(text) !== 0 : isIP(bracketed) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

// Aliases are queried one by one: an address lookup follows them too, but does not report them.
async function followAliases(resolver: Resolver, name: string): Promise<Pick<Resolution, "chain" | "error">> {
  const chain: string[] = [];
  for (let current = name; ; ) {
    const { records, failure } = await ask(() => resolver.resolveCname(current));
    if (failure && failure !== "empty") return { chain, error: { reason: failure, name: current } };
    const next = records[0]?.toLowerCase().replace(/\.$/, "");
    if (next === undefined) return { chain };
    if (next === name || chain.includes(next) || chain.length === longestChain) {
      return { chain, error: { reason: "broken", name: current } };
    }
    chain.push(next);
    current = next;
  }
}

const failures: Record<string, DnsFailure> = {
  ENODATA: "empty",
  ENOTFOUND: "missing",
  ETIMEOUT: "timeout",
  ECANCELLED: "timeout",
  ESERVFAIL: "broken",
  EREFUSED: "refused",
  ECONNREFUSED: "refused",
};

async function ask(question: () => Promise<string[]>): Promise<{ records: string[]; failure?: DnsFailure }> {
  try {
    return { records: await question() };
  } catch (error) {
    return { records: [], failure: failures[(error as { code?: string }).code ?? ""] ?? "broken" };
  }
}
