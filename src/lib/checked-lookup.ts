import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { resolveAddresses } from "./dns.ts";

/** A host that has no address, or none that may be reached. The message is a sentence. */
export class UnreachableHost extends Error {}

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
