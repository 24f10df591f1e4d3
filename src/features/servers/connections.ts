import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { isServerAddress, ownAddresses } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { addressChannel, isAddressUsed } from "./queries.ts";

/** Drops a server's kept connection in this process when any process changes its address or deletes it. */
export async function followAddresses({ listener, hosts }: Pick<Context, "listener" | "hosts">): Promise<void> {
  await listener.listen(addressChannel, (serverId) => {
    // Empty: notifications may have been missed.
    void (serverId === "" ? hosts.close() : hosts.forget(Number(serverId)));
  });
}

/** Why an address cannot be a server's; undefined if it can. */
export function addressError({ serversAllow }: Pick<Config, "serversAllow">, address: string): string | undefined {
  if (isServerAddress(address, serversAllow)) return undefined;
  return ownAddresses() === undefined
    ? `${address} cannot be distinguished from Longshore's own addresses, which the system does not let Longshore read. The operator can allow it with LONGSHORE_SERVERS_ALLOW, or add AF_NETLINK to RestrictAddressFamilies of Longshore's unit.`
    : `${address} cannot be a server's: it is Longshore's own, loopback, link-local, multicast or reserved. The operator can allow it with LONGSHORE_SERVERS_ALLOW.`;
}

export const addressUsed = "The public address is used by another server.";

/** Why an address cannot become that of a server, new or with this id; undefined if it can. */
export async function newAddressError(
  { config, pool }: Pick<Context, "config" | "pool">,
  address: string,
  serverId?: number,
): Promise<string | undefined> {
  const error = addressError(config, address);
  if (error) return error;
  return (await isAddressUsed(pool, address, serverId)) ? addressUsed : undefined;
}

/** Before each connection: an address may have become Longshore's own, and the setting may have changed. */
export function refuseAddress(config: Pick<Config, "serversAllow">, address: string): void {
  const error = addressError(config, address);
  if (error) throw new AppError("refused", error, { permanent: true });
}
