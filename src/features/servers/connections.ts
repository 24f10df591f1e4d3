import type { Context } from "../../context.ts";
import { addressChannel } from "./queries.ts";

/** Drops a server's kept connection in this process whenever its address changes or it is deleted, in whatever process. */
export async function followAddresses({ listener, hosts }: Pick<Context, "listener" | "hosts">): Promise<void> {
  await listener.listen(addressChannel, (serverId) => {
    // Empty: something may have been missed.
    void (serverId === "" ? hosts.close() : hosts.forget(Number(serverId)));
  });
}
