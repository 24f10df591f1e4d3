import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

/** The records of a name; `silent` names are never answered, and `code` is an error of DNS such as SERVFAIL. */
export interface DnsRecords {
  A?: readonly string[];
  AAAA?: readonly string[];
  CNAME?: string;
  code?: "SERVFAIL" | "REFUSED";
  silent?: true;
}

export interface DnsServer {
  /** As a setting: `127.0.0.1:PORT`. */
  address: string;
  /** By lowercase name; may be changed at any time. A name that is missing here does not exist. */
  zone: Map<string, DnsRecords>;
  close(): Promise<void>;
}

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;
const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** A name server on loopback that answers from the given zone. */
export async function startDnsServer(zone: Record<string, DnsRecords> = {}, host = "127.0.0.1"): Promise<DnsServer> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const known = new Map(Object.entries(zone));
  socket.on("message", (query, from) => {
    const answer = answerTo(query, known);
    if (answer) socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => socket.once("error", reject).bind(0, host, resolve));
  const close = () => new Promise<void>((resolve) => socket.close(() => resolve()));
  return { address: `${host}:${socket.address().port}`, zone: known, close };
}

function answerTo(query: Buffer, zone: ReadonlyMap<string, DnsRecords>): Buffer | undefined {
  const { name, type, end } = questionOf(query);
  const found = zone.get(name);
  if (found?.silent) return undefined;
  const data = found === undefined || found.code ? [] : dataOf(found, type);
  const code = found === undefined ? "NXDOMAIN" : (found.code ?? "NOERROR");
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | codes[code], 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...data]);
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function dataOf({ A = [], AAAA = [], CNAME }: DnsRecords, type: number): Buffer[] {
  if (CNAME !== undefined) return type === types.CNAME ? [record(types.CNAME, encodedName(CNAME))] : [];
  if (type === types.A) return A.map((address) => record(types.A, Buffer.from(address.split(".").map(Number))));
  if (type === types.AAAA) return AAAA.map((address) => record(types.AAAA, encodedIpv6(address)));
  return [];
}

// The name is that of the question, which begins at byte 12.
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const encodedName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, "latin1")),
    Buffer.alloc(1),
  ]);

function encodedIpv6(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]));
}
