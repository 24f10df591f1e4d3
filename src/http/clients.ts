import type { Server, Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { addressIn, clientNetworkOf, isPublicAddress } from "../lib/addresses.ts";

// Telling clients apart by their addresses, for limits on what they can do before they are authenticated.

/**
 * The address of the client, or its network for IPv6. Undefined where many clients may share one, because a proxy stands before
 * Longshore that `LONGSHORE_TRUSTED_PROXIES` does not name: a limit for each address would let one client keep out the others.
 */
export function clientOf(
  { trustedProxies }: Pick<Config, "trustedProxies">,
  request: FastifyRequest,
): string | undefined {
  const { ip, headers } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  const mayBeShared = trustedProxies.length === 0 && (isForwarded || !isPublicAddress(ip));
  return mayBeShared ? undefined : clientNetworkOf(ip);
}

/** Whether an address that connects is one client's: public, and no proxy of ours. */
export function singleClient({ trustedProxies }: Pick<Config, "trustedProxies">): (address: string) => boolean {
  const isTrusted = addressIn(trustedProxies);
  return (address) => isPublicAddress(address) && !isTrusted(address);
}

/** Closes connections of a client beyond `limit` at once. */
export function limitConnections(server: Server, limit: number, isClient: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (!isClient(address)) return;
    const client = clientNetworkOf(address);
    const count = (open.get(client) ?? 0) + 1;
    if (count > limit) return void socket.destroy();
    open.set(client, count);
    socket.once("close", () => {
      const left = (open.get(client) ?? 0) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
}
