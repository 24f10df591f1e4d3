import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mustRun, runCommand } from "./command.ts";
import { SandboxError } from "./errors.ts";
import { withLock } from "./lock.ts";
import { stateDirectory } from "./paths.ts";
import { listRecords, readJson, type ServerRecord, serverNames, writeJson, writeRecord } from "./records.ts";
import { until } from "./until.ts";

// One lock for the whole machine: two state directories must not choose the same bridge or addresses.
const networkLock = "/run/lock/longshore-sandbox-network.lock";
const networkFile = (): string => join(stateDirectory(), "network.json");

// Ranges that home and office networks rarely use; ranges that this machine uses are skipped.
const candidatePrefixes = ["10.213", "172.29", "192.168"].flatMap((start) =>
  Array.from({ length: 32 }, (_, at) => `${start}.${start === "192.168" ? 200 + at : at}`),
);

interface Network {
  bridge: string;
  /** The first three numbers of all its addresses; the machine itself is `.1`. */
  prefix: string;
  lastOctet: number;
}

/**
 * Gives a server an address on the sandbox's bridge, which is created if necessary, and writes the server's record.
 * Safe when several processes do so at once.
 */
export function allocateAddress(
  server: Pick<ServerRecord, "name" | "distribution" | "image" | "layers">,
): Promise<ServerRecord> {
  return withLock(networkLock, async () => {
    const network = await ensureNetwork();
    const taken = new Set((await listRecords()).map((record) => record.address));
    const octet = nextFreeOctet(network, taken);
    await writeJson(networkFile(), { ...network, lastOctet: octet });
    const { bridge, prefix } = network;
    const record = { ...server, address: `${prefix}.${octet}`, bridge, machine: `${bridge}-h${octet}` };
    await writeRecord(record);
    return record;
  });
}

/** The address of this machine from the sandbox's servers; the bridge is created if necessary. */
export const ensureBridgeAddress = (): Promise<string> =>
  withLock(networkLock, async () => {
    const network = await ensureNetwork();
    await writeJson(networkFile(), network);
    return `${network.prefix}.1`;
  });

// In turn rather than the lowest, so that no cache (ARP, known hosts) has an old entry for a new server's address.
function nextFreeOctet({ prefix, lastOctet }: Network, taken: ReadonlySet<string>): number {
  for (let step = 0; step < 253; step++) {
    const octet = 2 + ((lastOctet - 1 + step) % 253);
    if (!taken.has(`${prefix}.${octet}`)) return octet;
  }
  throw new SandboxError("All 253 addresses of the sandbox are in use: remove servers with ./longshore sandbox down.");
}

async function ensureNetwork(): Promise<Network> {
  const known = await readJson<Network>(networkFile());
  const network = known && (await hasBridge(known)) ? known : await createBridge();
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  for (const rule of forwardingRules(network)) await addRule(rule);
  return network;
}

async function hasBridge({ bridge, prefix }: Network): Promise<boolean> {
  const { stdout } = await runCommand(["ip", "-4", "-o", "address", "show", "dev", bridge]);
  return stdout.includes(` ${prefix}.1/24 `);
}

async function createBridge(): Promise<Network> {
  const prefix = await freePrefix();
  const bridge = await freeBridgeName();
  // A fixed MAC: by default a bridge takes the lowest MAC of its ports, and changes it whenever a server is added or
  // removed.
  const mac = `02${randomBytes(5).toString("hex").replace(/../g, ":$&")}`;
  await mustRun(["ip", "link", "add", bridge, "address", mac, "type", "bridge", "forward_delay", "0"]);
  await mustRun(["ip", "address", "add", `${prefix}.1/24`, "dev", bridge]);
  await mustRun(["ip", "link", "set", bridge, "up"]);
  const network = { bridge, prefix, lastOctet: 1 };
  await writeJson(networkFile(), network);
  return network;
}

async function freeBridgeName(): Promise<string> {
  const links = await mustRun(["ip", "-o", "link", "show"]);
  for (let at = 0; at < 100; at++) if (!links.includes(` lsbr${at}:`)) return `lsbr${at}`;
  throw new SandboxError("A hundred sandbox bridges exist already: remove them with ip link del lsbrN.");
}

async function freePrefix(): Promise<string> {
  const routes = await mustRun(["ip", "-4", "-o", "route", "show", "table", "all"]);
  const used = routes.split("\n").flatMap((line) => destinationOf(line) ?? []);
  const free = candidatePrefixes.find((prefix) => !used.some((range) => overlaps(range, parseRange(`${prefix}.0/24`))));
  if (free) return free;
  throw new SandboxError(`No free address range for the sandbox: each of ${candidatePrefixes.join(", ")} is in use.`);
}

interface Range {
  first: number;
  last: number;
}

function destinationOf(route: string): Range | undefined {
  const match = /^(?:(?:local|broadcast|unicast|multicast|blackhole) )?(\d+\.\d+\.\d+\.\d+(?:\/\d+)?) /.exec(route);
  return match?.[1] === undefined ? undefined : parseRange(match[1]);
}

function parseRange(text: string): Range {
  const [address = "", bits = "32"] = text.split("/");
  const start = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return { first: start, last: start + 2 ** (32 - Number(bits)) - 1 };
}

const overlaps = (a: Range, b: Range): boolean => a.first <= b.last && b.first <= a.last;

// Every rule has a comment, by which it can always be found again.

interface Rule {
  table: string;
  chain: string;
  match: string[];
  target: string;
  tag: string;
}

const bridgeTag = (bridge: string): string => `longshore-${bridge}`;
const cutTag = ({ bridge, address }: ServerRecord): string => `${bridgeTag(bridge)}-cut-${address}`;

function forwardingRules({ bridge, prefix }: Network): Rule[] {
  const range = `${prefix}.0/24`;
  const tag = bridgeTag(bridge);
  return [
    { table: "nat", chain: "POSTROUTING", match: ["-s", range, "!", "-d", range], target: "MASQUERADE", tag },
    // Machines with Docker or a firewall drop forwarded packets unless a rule allows them.
    { table: "filter", chain: "FORWARD", match: ["-i", bridge], target: "ACCEPT", tag },
    { table: "filter", chain: "FORWARD", match: ["-o", bridge], target: "ACCEPT", tag },
  ];
}

// Packets vanish in both directions, including those of open connections: a pulled cable, not a refusal.
function cutRules(record: ServerRecord): Rule[] {
  const { address, bridge } = record;
  const tag = cutTag(record);
  return [
    { table: "raw", chain: "PREROUTING", match: ["-i", bridge, "-s", address], target: "DROP", tag },
    { table: "filter", chain: "OUTPUT", match: ["-d", address], target: "DROP", tag },
    { table: "filter", chain: "FORWARD", match: ["-d", address], target: "DROP", tag },
  ];
}

async function addRule({ table, chain, match, target, tag }: Rule): Promise<void> {
  const rule = [...match, "-m", "comment", "--comment", tag, "-j", target];
  const present = await runCommand(["iptables", "-w", "-t", table, "-C", chain, ...rule]);
  if (present.exitCode !== 0) await mustRun(["iptables", "-w", "-t", table, "-I", chain, ...rule]);
}

async function removeRules(isOurs: (tag: string) => boolean): Promise<void> {
  for (const table of ["raw", "filter", "nat"]) {
    for (const rule of await taggedRules(table, isOurs)) {
      // Listed rules are in shell quotes; our words have no blanks.
      await mustRun(["iptables", "-w", "-t", table, "-D", ...rule.replaceAll('"', "").split(" ").slice(1)]);
    }
  }
}

async function taggedRules(table: string, isOurs: (tag: string) => boolean): Promise<string[]> {
  const { stdout } = await runCommand(["iptables", "-w", "-t", table, "-S"]);
  return stdout.split("\n").filter((line) => {
    const tag = /^-A .* --comment "?(longshore-[^ "]+)/.exec(line)?.[1];
    return tag !== undefined && isOurs(tag);
  });
}

/** Drops every packet from and to the server, including those of open connections, until it is healed. */
export async function cutAddress(record: ServerRecord): Promise<void> {
  for (const rule of cutRules(record)) await addRule(rule);
}

/** Reverses cutAddress; does nothing when the server is not cut. */
export const healAddress = (record: ServerRecord): Promise<void> => removeRules((tag) => tag === cutTag(record));

/** Whether the server's network is cut now. */
export const isAddressCut = async (record: ServerRecord): Promise<boolean> =>
  (await taggedRules("filter", (tag) => tag === cutTag(record))).length > 0;

/** Removes the server's parts of the network: its device, its cuts. They may be missing. */
export async function releaseAddress(record: ServerRecord): Promise<void> {
  await healAddress(record);
  const device = `vb-${record.machine}`;
  // The kernel removes the pair some time after the last process of the server ended, unless this call is first.
  await until(`the network device ${device} was gone`, async () => {
    if ((await runCommand(["ip", "link", "show", device])).exitCode !== 0) return true;
    await runCommand(["ip", "link", "del", device]);
    return false;
  });
}

/** Removes bridge and rules, unless a server is left (one may have just started). */
export function removeNetwork(): Promise<void> {
  return withLock(networkLock, async () => {
    const network = await readJson<Network>(networkFile());
    if (network === undefined || (await serverNames()).length > 0) return;
    const tag = bridgeTag(network.bridge);
    await removeRules((found) => found === tag || found.startsWith(`${tag}-`));
    await runCommand(["ip", "link", "del", network.bridge]);
  });
}
