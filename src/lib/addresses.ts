import { existsSync, readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

// The public internet, for code that sends requests to addresses chosen by a user. An address that is not assigned as
// public unicast is ours, our neighbours' or unassigned.

const notPublic4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Link-local; on these addresses clouds serve the credentials of the requesting machine.
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // A cloud's own service for its machines, at an address that looks public.
  "168.63.129.16",
];

/** In IPv6 only global unicast is public at all; these parts of it lead to IPv4 addresses, or nowhere. */
const public6 = "2000::/3";
const notPublic6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const refused = networks([...notPublic4, ...notPublic6]);
const globalUnicast = networks([public6]);

/** Whether an address belongs to the internet, and neither to a private network nor to this machine. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIP(plain) === 4) return !refused.check(plain, "ipv4");
  return isIP(plain) === 6 && globalUnicast.check(plain, "ipv6") && !refused.check(plain, "ipv6");
}

/**
 * Returns a test for addresses that a user chose: public ones that are not this machine's may be requested, and the excepted ones,
 * which are addresses and networks. All others may be in the control plane's network.
 */
export function outboundReach(excepted: readonly string[]): (address: string) => boolean {
  const isExcepted = addressIn(excepted);
  const isOwn = ownAddressTest();
  return (address) => isExcepted(address) || (isPublicAddress(address) && !isOwn(address));
}

// Addresses that no server has: this machine, the same link, groups, services of clouds for their machines, and IPv6
// addresses that lead to IPv4 ones of any kind. Private networks are not listed: servers are there.
const notServers = networks([
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "168.63.129.16",
  "100.100.100.200",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  "fe80::/10",
  "ff00::/8",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

const privateNetworks = networks(["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]);

/** Whether an address may be that of a managed server. Addresses of this machine are not, unless `allowed` contains them. */
export const isServerAddress = (address: string, allowed: readonly string[]): boolean =>
  addressIn(allowed)(address) || !(isAmong(notServers, address) || ownAddressTest()(address));

/** Whether an address belongs to a private network: it is not reachable from the internet. */
export const isPrivateAddress = (address: string): boolean =>
  isAmong(privateNetworks, address) && !isAmong(notServers, address);

/** Whether everyone can try out what listens at an address: it is in no private network, and none of this machine's. */
export const isOpenAddress = (address: string): boolean =>
  isIP(unmapped(address)) !== 0 &&
  !(isAmong(privateNetworks, address) || isAmong(notServers, address) || ownAddressTest()(address));

/**
 * Returns a test for addresses of this machine. While the machine's addresses cannot be read, every address counts as one of them:
 * what must not be reached is not reached.
 */
export function ownAddressTest(): (address: string) => boolean {
  const own = ownAddresses();
  return own ? addressIn(own) : () => true;
}

let lastRead: string[] | undefined;

/**
 * The addresses of this machine's interfaces. Never throws: without rights to ask for them, as in a systemd unit without AF_NETLINK,
 * they are read from /proc; when neither works, as without a free file descriptor, they are those of the last call, or undefined.
 */
export function ownAddresses(): string[] | undefined {
  for (const read of [readInterfaces, readKernelTables]) {
    try {
      lastRead = read();
      break;
    } catch {
      // The next one may work.
    }
  }
  return lastRead;
}

/**
 * The addresses of this machine that others can have for it, neither loopback nor link-local: public ones first, and IPv4 before
 * IPv6. None while they cannot be read.
 */
export function ownServerAddresses(): string[] {
  const place = (address: string): number => (isPublicAddress(address) ? 0 : 2) + (isIP(address) === 4 ? 0 : 1);
  const own = (ownAddresses() ?? []).filter((address) => !isAmong(notServers, address));
  return own.toSorted((one, other) => place(one) - place(other));
}

const readInterfaces = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));

/** See proc_pid_net(5); the routing table of IPv4 has each own address as a leaf with a route of the type LOCAL. */
export function readKernelTables(): string[] {
  const leaves = readFileSync("/proc/net/fib_trie", "utf8").split("|-- ").slice(1);
  const four = leaves.filter((leaf) => leaf.includes("/32 host LOCAL")).map((leaf) => leaf.split("\n", 1)[0] ?? "");
  const six = existsSync("/proc/net/if_inet6")
    ? readFileSync("/proc/net/if_inet6", "utf8").match(/^[\da-f]{32}/gm)
    : [];
  return [...new Set([...four, ...(six ?? []).map((digits) => digits.replace(/(.{4})(?!$)/g, "$1:"))])];
}

function isAmong(list: BlockList, address: string): boolean {
  const plain = unmapped(address);
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 4 ? "ipv4" : "ipv6");
}

/** Returns a test for addresses: `among` is a list of addresses and of networks such as 10.0.0.0/8. */
export function addressIn(among: readonly string[]): (address: string) => boolean {
  const list = networks(among);
  return (address) => isAmong(list, address);
}

/** A client's network: an IPv4 address, or the /64 network of an IPv6 address, which is the smallest assignment. */
export function clientNetworkOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = (part: string | undefined) => (part ? part.split(":") : []);
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = tail === undefined ? groups(head) : [...groups(head), ...Array(zeros).fill("0"), ...groups(tail)];
  return `${all.slice(0, 4).join(":")}::/64`;
}

/** Whether a text is an address, or a network with its prefix length, such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [, address = "", bits = "0"] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

function networks(among: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of among) {
    const [address = "", bits] = each.split("/");
    const type = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

/** `::ffff:127.0.0.1`, and the same in hexadecimal, are the IPv4 address that the system would connect to. */
export function unmapped(address: string): string {
  const plain = address.replace(/%.*$/, "").toLowerCase();
  if (isIP(plain) !== 6) return plain;
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}
