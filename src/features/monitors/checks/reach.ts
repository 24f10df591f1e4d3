import { addressIn, isPublicAddress, ownAddresses } from "../../../lib/addresses.ts";

export type Reach = (address: string) => boolean;

/**
 * Whether an address may be checked: public ones that are not this machine's, what the operator allows, and the organization's
 * own servers. All others are the control plane's network.
 */
export function mayCheck(allowedNetworks: readonly string[], serverAddresses: readonly string[]): Reach {
  const isExcepted = addressIn([...allowedNetworks, ...serverAddresses]);
  const isOwn = addressIn(ownAddresses().map((address) => address.replace(/%.*$/, "")));
  return (address) => isExcepted(address) || (isPublicAddress(address) && !isOwn(address));
}
