import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A TCP address in front of a PostgreSQL, with the failures of a network. */
export interface TcpProxy {
  /** The URL of the PostgreSQL behind it, through the proxy. */
  url: string;
  port: number;
  /** The host vanishes: nothing passes on any connection, none is closed, and new ones get no answer. */
  swallow(): void;
  /** New connections work again. Those that were open during `swallow` stay dead. */
  heal(): void;
  /** Ends all connections at once. */
  reset(): void;
  /** How many packets PostgreSQL has sent. */
  readonly packets: number;
  /** Ends all connections at this packet, and refuses new ones from then on. */
  breakAt(packet: number): void;
  /** New connections lead to this PostgreSQL, as after a failover. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** A proxy before the PostgreSQL at `url`, which may be a Unix socket. */
export async function tcpProxy(url: string): Promise<TcpProxy> {
  let target = targetOf(url);
  let isSwallowing = false;
  let packets = 0;
  let breakAt = Number.POSITIVE_INFINITY;
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on("error", () => {});
      from.on("close", () => {
        if (dead.has(pair)) return;
        pairs.delete(pair);
        to.destroy();
      });
      from.on("data", (data) => void (dead.has(pair) || to.write(data)));
    }
    upstream.on("data", () => {
      if (++packets < breakAt) return;
      reset();
      server.close();
    });
    if (isSwallowing) dead.add(pair);
  });
  const dead = new Set<[Socket, Socket]>();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const reset = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
    dead.clear();
  };
  return {
    url: through(url, port),
    port,
    swallow: () => {
      isSwallowing = true;
      for (const pair of pairs) dead.add(pair);
    },
    heal: () => {
      isSwallowing = false;
    },
    reset,
    get packets() {
      return packets;
    },
    breakAt: (packet) => {
      breakAt = packet;
    },
    leadTo: (next) => {
      target = targetOf(next);
    },
    close: async () => {
      reset();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

function targetOf(url: string): NetConnectOpts {
  const { searchParams, hostname, port } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.5432` } : { host, port: Number(port || 5432) };
}

function through(url: string, port: number): string {
  const { pathname, searchParams, username } = new URL(url);
  return `postgresql://${searchParams.get("user") ?? username}@127.0.0.1:${port}${pathname}`;
}
