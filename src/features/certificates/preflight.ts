import { get } from "node:http";
import { isIP } from "node:net";
import { isPublicAddress } from "../../lib/addresses.ts";
import type { DnsFailure, Resolution } from "../../lib/dns.ts";
import { messageOf } from "../../lib/errors.ts";
import type { ServerAddress } from "./queries.ts";

// Checks whether the authority would find the proof, before it is asked. A hopeless order counts against limits that all
// customers share, and its refusal has fewer details than a check from here.

/** The target for all names: a file that the server publishes. */
export interface Probe {
  path: string;
  content: string;
}

export interface Preflight {
  names: readonly string[];
  server: ServerAddress;
  probe: Probe;
  resolve: (name: string) => Promise<Resolution>;
}

export interface Findings {
  /** A sentence for each name that resolves to the server. */
  fine: string[];
  /** A sentence for each other name, with what to change. */
  wrong: string[];
}

/** Checks all names concurrently. */
export async function checkNames(preflight: Preflight): Promise<Findings> {
  const looks = await Promise.all(preflight.names.map((name) => look(preflight, name)));
  return {
    fine: looks.flatMap((each) => ("fine" in each ? [each.fine] : [])),
    wrong: looks.flatMap((each) => ("wrong" in each ? [each.wrong] : [])),
  };
}

type Look = { fine: string } | { wrong: string };

async function look({ server, probe, resolve }: Preflight, name: string): Promise<Look> {
  const { addresses, error } = await resolve(name);
  if (addresses.length === 0) return { wrong: addressError(name, error, server.public_ip) };
  const answers = await Promise.all(addresses.map((address) => probeAddress(server, probe, name, address)));
  const wrong = answers.find((answer) => answer !== undefined);
  if (wrong) return { wrong };
  const isDirect = addresses.includes(server.public_ip);
  return {
    fine: isDirect ? `${name} points to this server, and port 80 answers.` : `${name} leads to this server by a proxy.`,
  };
}

function addressError(name: string, error: Resolution["error"], wanted: string): string {
  const record = `${isIP(wanted) === 6 ? "an AAAA" : "an A"} record with ${wanted}`;
  const failed = error && error.name !== name ? `${name} is an alias of ${error.name}, which` : name;
  const words: Record<DnsFailure, string> = {
    missing: `${failed} does not exist in the DNS: add ${record}.`,
    empty: `${failed} has no address in the DNS: add ${record}.`,
    timeout: `The DNS servers did not answer in time when asked for ${error?.name ?? name}. Try again later.`,
    broken: `${failed} cannot be looked up: its DNS servers are broken. Have its zone looked at.`,
    refused: `The DNS servers refuse to look ${error?.name ?? name} up. Have LONGSHORE_DNS looked at.`,
  };
  return words[error?.reason ?? "empty"];
}

/** Undefined if the server is found there; otherwise a sentence. */
async function probeAddress(
  server: ServerAddress,
  probe: Probe,
  name: string,
  address: string,
): Promise<string | undefined> {
  const isOurs = address === server.public_ip;
  const elsewhere = `${name} points to ${address} and not to ${server.name}: set its DNS record to ${server.public_ip}.`;
  // An account learns nothing about addresses in another's private network.
  if (!isOurs && !isPublicAddress(address)) return elsewhere;
  try {
    const { status, location, body } = await fetchProbe(address, name, probe.path);
    if (status === 200 && body.trim() === probe.content) return undefined;
    // A proxy that redirects to HTTPS; the authority follows redirects.
    if (!isOurs && status >= 300 && status < 400 && location?.startsWith(`https://${name}/`)) return undefined;
    if (!isOurs) return elsewhere;
    return `${name} points here, but port 80 of ${address} is not answered by its site (status ${status}).`;
  } catch (error) {
    // The control plane may have no route to such addresses, for example without IPv6: then only the authority can decide.
    const { code = "" } = error as { code?: string };
    if (noWay.includes(code)) return undefined;
    if (!isOurs) return elsewhere;
    const reason = code === "ECONNREFUSED" ? "connection refused" : messageOf(error);
    return `${name} points here, but port 80 of ${address} does not answer (${reason}): open it in the firewall.`;
  }
}

const noWay = ["ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"];

interface Answer {
  status: number;
  location: string | undefined;
  body: string;
}

const answerWithinMs = 5_000;

function fetchProbe(host: string, name: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host, port: 80, path, headers: { Host: name, "User-Agent": "longshore" }, agent: false };
    const timer = setTimeout(() => request.destroy(new Error("no answer in 5 s")), answerWithinMs);
    const request = get(options, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        body += piece;
        if (body.length > 1_000) request.destroy(new Error("the answer is too long"));
      });
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, body });
      });
      response.on("error", reject);
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
