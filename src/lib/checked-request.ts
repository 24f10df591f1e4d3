import { lookup as systemLookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { resolveAddresses } from "./dns.ts";

/** A host that has no address, or none that may be reached. The message is a sentence. */
export class UnreachableHost extends Error {}

export interface CheckedRequest {
  /** Default: GET. */
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether connections to an address are allowed. */
  mayReach: (address: string) => boolean;
  /** The error for a name or an address that is not. */
  refusal: (host: string) => Error;
  signal: AbortSignal;
}

/**
 * Sends a request to an address that a user chose, and returns the answer as it arrives. Redirects are not followed, and the connection
 * goes to exactly the address that was checked. Rejects when there is no answer.
 */
export async function requestChecked(url: URL, given: CheckedRequest): Promise<IncomingMessage> {
  const { method = "GET", headers, body, mayReach, refusal, signal } = given;
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  // A connection to a literal address makes no lookup, so it would not be checked.
  if (isIP(literal) !== 0 && !mayReach(literal)) throw refusal(literal);
  const lookup = checkedLookup(mayReach, refusal);
  const options = { method, agent: false, lookup, signal, headers: { "User-Agent": "Longshore", ...headers } } as const;
  const request = url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
  request.end(body);
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays attached, so that a failure after the answer affects only this request.
    request.on("error", reject);
  });
}

type Resolve = (name: string) => Promise<string[]>;

/**
 * Resolves names for a connection, and refuses a name that leads to a forbidden address, with the error of `refusal`. The connection
 * uses the addresses returned here, so that the name cannot change its meaning in between. An address in place of a name is not
 * looked up: the caller has to check it.
 */
export function checkedLookup(
  mayReach: (address: string) => boolean,
  refusal: (name: string) => Error,
  resolve: Resolve = addressesOf,
): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const isRefused = addresses.some((address) => !mayReach(address));
        const [first] = addresses;
        if (isRefused || first === undefined) {
          const error = isRefused ? refusal(name) : new UnreachableHost(`${name} has no address in the DNS.`);
          return callback(error, "", 0);
        }
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        return options.all ? callback(null, all) : callback(null, first, isIP(first));
      },
      (error: Error) => callback(error, "", 0),
    );
  };
}

// DNS queries do not occupy one of the few threads for the system's own lookups, which names with slow servers would
// fill. A name that is not in the DNS may be in the system's hosts file.
async function addressesOf(name: string): Promise<string[]> {
  const { addresses, error } = await resolveAddresses(name);
  if (addresses.length > 0 || error?.reason === "timeout") return addresses;
  const found = await systemLookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
