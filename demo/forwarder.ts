import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface Forwarder {
  port: number;
  close(): Promise<void>;
}

/** Addresses in the console have no port. */
const preferredPorts = [80, 8088];

/**
 * Lets a browser on this machine reach a sandbox server: browsers resolve every `*.localhost` to loopback, and bytes are
 * forwarded unchanged, so the server sees the host that the browser requested.
 */
export async function startForwarder(address: string, port = 80): Promise<Forwarder> {
  const open = new Set<Socket>();
  const server = createServer((visitor) => {
    const upstream = connect({ host: address, port });
    for (const [socket, other] of [
      [visitor, upstream],
      [upstream, visitor],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      // Either side may disconnect at any time; then the other is closed too.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await listenOnFirst(server, [...preferredPorts, 0]);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function listenOnFirst(server: Server, [port = 0, ...others]: readonly number[]): Promise<void> {
  await listen(server, port).catch((error: unknown) => {
    if (others.length === 0) throw error;
    return listenOnFirst(server, others);
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}
