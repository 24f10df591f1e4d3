import { once } from "node:events";
import type { Server } from "node:net";

/** On all addresses, also of a machine without IPv6. Rejects with the error of the system. */
export async function listenOn(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    if (host !== "::" || (error as NodeJS.ErrnoException).code !== "EAFNOSUPPORT") throw error;
    server.listen({ host: "0.0.0.0", port });
    await once(server, "listening");
  }
}
