import type { Server, Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { addressIn, clientNetworkOf, isPublicAddress } from "../lib/addresses.ts";

// Distinguishes clients by their addresses, for limits on what they can do before they are authenticated.

/**
 * The address of the client, or its network for IPv6. Undefined when many clients may share one, because a proxy in front of
 * Longshore is not in `LONGSHORE_TRUSTED_PROXIES`: with a limit for each address, one client could keep out the others.
 */
export function clientOf(
  { trustedProxies }: Pick<Config, "trustedProxies">,
  request: Pick<FastifyRequest, "ip" | "headers">,
): string | undefined {
  const { ip, headers } = request;
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  const mayBeShared = trustedProxies.length === 0 && (isForwarded || !isPublicAddress(ip));
  return mayBeShared ? undefined : clientNetworkOf(ip);
}

/** Whether a connecting address belongs to one client: public, and not one of our proxies. */
export function singleClient({ trustedProxies }: Pick<Config, "trustedProxies">): (address: string) => boolean {
  const isTrusted = addressIn(trustedProxies);
  return (address) => isPublicAddress(address) && !isTrusted(address);
}

/** Immediately closes the connections of a client beyond `limit`. */
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
