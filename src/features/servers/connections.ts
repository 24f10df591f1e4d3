import { readFile } from "node:fs/promises";
import { type Config, thisMachineKeyFile } from "../../config.ts";
import type { Context } from "../../context.ts";
import { isServerAddress, ownAddresses, ownServerAddresses } from "../../lib/addresses.ts";
import { AppError } from "../../lib/errors.ts";
import { addressChannel, isAddressUsed, type ServerForWork } from "./queries.ts";

/** Drops a server's kept connection in this process when any process changes its address or deletes it. */
export async function followAddresses({ listener, hosts }: Pick<Context, "listener" | "hosts">): Promise<void> {
  await listener.listen(addressChannel, (serverId) => {
    // Empty: notifications may have been missed.
    void (serverId === "" ? hosts.close() : hosts.forget(Number(serverId)));
  });
}

/** Why an address cannot be a server's; undefined if it can. */
export function addressError(
  { serversAllow }: Pick<Config, "serversAllow">,
  address: string,
  { isThisMachine = false }: { isThisMachine?: boolean | undefined } = {},
): string | undefined {
  // Longshore does not connect to the address that its own machine has for others.
  const allowed = isThisMachine ? [...serversAllow, ...ownServerAddresses()] : serversAllow;
  if (isServerAddress(address, allowed)) return undefined;
  return ownAddresses() === undefined
    ? `${address} cannot be distinguished from Longshore's own addresses, which the system does not let Longshore read. The operator can allow it with LONGSHORE_SERVERS_ALLOW, or add AF_NETLINK to RestrictAddressFamilies of Longshore's unit.`
    : `${address} cannot be a server's: it is Longshore's own, loopback, link-local, multicast or reserved. The operator can allow it with LONGSHORE_SERVERS_ALLOW.`;
}

export const addressUsed = "The public address is used by another server.";

/** Why an address cannot become that of a server, new or with this id; undefined if it can. */
export async function newAddressError(
  { config, pool }: Pick<Context, "config" | "pool">,
  address: string,
  { id, isThisMachine }: { id?: number; isThisMachine?: boolean } = {},
): Promise<string | undefined> {
  const error = addressError(config, address, { isThisMachine });
  if (error) return error;
  return (await isAddressUsed(pool, address, id)) ? addressUsed : undefined;
}

/** How Longshore signs in to a server. */
export interface Login {
  host: string;
  port: number;
  privateKey: string;
}

/**
 * How to connect to a server now; for the machine that Longshore runs on, over loopback, with the key in the data directory. Throws
 * `refused` for an address that is not allowed, and for this machine if its operator does not allow it any more.
 */
export async function loginOf(
  { config, secrets }: Pick<Context, "config" | "secrets">,
  server: Pick<ServerForWork, "public_ip" | "ssh_port" | "ssh_private_key" | "is_this_machine">,
): Promise<Login> {
  if (server.is_this_machine) return loginHere(config);
  refuseAddress(config, server.public_ip);
  return { host: server.public_ip, port: server.ssh_port, privateKey: secrets.decrypt(server.ssh_private_key) };
}

const loopback = "127.0.0.1";

async function loginHere(config: Pick<Config, "thisMachine" | "dataDirectory">): Promise<Login> {
  if (config.thisMachine === undefined) throw new AppError("refused", notManaged, { permanent: true });
  const privateKey = await readFile(thisMachineKeyFile(config), "utf8").catch((cause: unknown) => {
    throw new AppError("refused", keyMissing, { cause, permanent: true });
  });
  return { host: loopback, port: config.thisMachine, privateKey };
}

const command = "longshore service install --manage-this-machine";
export const notManaged = `This installation does not manage the machine that it runs on. Its operator switches that on, as root: ${command}`;
export const keyMissing = `The key that opens this machine is missing. Make another one, as root: ${command}`;

/**
 * The address to remember as one that showed the host key. On the machine of Longshore itself that was loopback, and the address it
 * has for others is among its own.
 */
export const addressSeen = (
  { is_this_machine: isThisMachine, public_ip: address }: Pick<ServerForWork, "is_this_machine" | "public_ip">,
  host: string,
): string => (isThisMachine && ownServerAddresses().includes(address) ? address : host);

/** Before each connection: an address may have become Longshore's own, and the setting may have changed. */
export function refuseAddress(config: Pick<Config, "serversAllow">, address: string): void {
  const error = addressError(config, address);
  if (error) throw new AppError("refused", error, { permanent: true });
}
