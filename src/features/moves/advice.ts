import { isIPv6 } from "node:net";
import type { ForwardingRow } from "../placements/schema.ts";
import { namesClaimed } from "../site-records/names.ts";
import type { DomainSet } from "../site-records/schema.ts";

/** A record that a domain of a project needs in the DNS. */
export interface DnsRecord {
  name: string;
  type: "A" | "AAAA";
  value: string;
}

/** The DNS records that the domains of a project need after its move to a server. */
export const recordsFor = (site: DomainSet, { public_ip: value }: { public_ip: string }): DnsRecord[] =>
  namesClaimed(site).map((name) => ({ name, type: isIPv6(value) ? "AAAA" : "A", value }));

/** The same in a sentence. */
export function domainAdvice(site: DomainSet, server: { public_ip: string }): string {
  const records = recordsFor(site, server);
  const [first] = records;
  if (!first) return "";
  const names = records.map(({ name }) => name);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `Point ${list} at ${first.value} (${first.type} ${names.length === 1 ? "record" : "records"}) now.`;
}

/** What the former server does for visitors who still find it. */
export function forwardingNotice(
  name: string,
  { passes_on, until }: Pick<ForwardingRow, "passes_on" | "until">,
): string {
  const end = `${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return passes_on
    ? `${name} forwards visitors until ${end}.`
    : `${name} asks visitors to come back later until ${end}.`;
}
