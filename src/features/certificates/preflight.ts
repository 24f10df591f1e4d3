import { get } from "node:http";
import { isIP } from "node:net";
import { isPublicAddress } from "../../lib/addresses.ts";
import type { DnsFailure, Resolution } from "../../lib/dns.ts";
import { messageOf } from "../../lib/errors.ts";
import { unansweredReason } from "../../lib/unanswered.ts";
import type { ServerAddress } from "./queries.ts";
import type { LeftOut } from "./schema.ts";

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

/** Whether a name leads to the server, in a sentence; if not, the sentence says what to change. */
export interface Finding {
  name: string;
  isFine: boolean;
  /** The DNS did not say: the name may lead to the server all the same. */
  isUnknown?: boolean;
  sentence: string;
}

/**
 * What can be ordered: the names that lead to the server, except those that the authority `refused` lately. When it has refused all
 * of them, all are ordered again, since something may have changed. A name that the present certificate has `covered` for some time
 * to come is lost only when it leads elsewhere: nothing is ordered while that is unknown.
 */
export function namesToOrder(
  findings: readonly Finding[],
  { refused, covered }: { refused: readonly string[]; covered: readonly string[] },
): { names: string[]; leftOut: LeftOut[] } {
  const unknown = findings.filter(({ name, isUnknown }) => isUnknown && covered.includes(name));
  if (unknown.length > 0)
    return { names: [], leftOut: unknown.map(({ name, sentence }) => ({ name, reason: sentence })) };
  const fine = findings.filter(({ isFine }) => isFine);
  const accepted = fine.filter(({ name }) => !refused.includes(name) || covered.includes(name));
  const ordered = accepted.length > 0 ? accepted : fine;
  const leftOut = findings
    .filter((finding) => !ordered.includes(finding))
    .map(({ name, isFine, sentence }) => ({
      name,
      reason: isFine ? `The authority could not verify ${name} less than an hour ago.` : sentence,
    }));
  return { names: ordered.map(({ name }) => name), leftOut };
}

/** Checks all names concurrently. */
export const checkNames = (preflight: Preflight): Promise<Finding[]> =>
  Promise.all(preflight.names.map((name) => checkName(preflight, name)));

async function checkName({ server, probe, resolve }: Preflight, name: string): Promise<Finding> {
  const wrong = (sentence: string): Finding => ({ name, isFine: false, sentence });
  const { addresses, error } = await resolve(name);
  if (addresses.length === 0) {
    const isUnknown = error !== undefined && !["missing", "empty"].includes(error.reason);
    return { ...wrong(addressError(name, error, server.public_ip)), isUnknown };
  }
  const answers = await Promise.all(addresses.map((address) => probeAddress(server, probe, name, address)));
  const failed = answers.find((answer) => answer !== undefined);
  if (failed) return wrong(failed);
  const isDirect = addresses.includes(server.public_ip);
  const sentence = isDirect
    ? `${name} points to this server, and port 80 answers.`
    : `${name} leads to this server by a proxy.`;
  return { name, isFine: true, sentence };
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
    const known = unansweredReason(error);
    const reason = code === "ECONNREFUSED" ? "connection refused" : known ? `it ${known}` : messageOf(error);
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
