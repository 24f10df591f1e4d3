import type { Context } from "../../context.ts";
import type { Script } from "../../host/sh.ts";
import { connect } from "../../host/ssh/connect.ts";
import { type Address, lastLine } from "../../host/ssh/connection.ts";
import { makeHostKey, readHostKey, showHostKey } from "../../host/ssh/host-keys.ts";
import { AppError } from "../../lib/errors.ts";
import { refuseAddress } from "../servers/connections.ts";
import { findServerForWork, type ServerForWork } from "../servers/queries.ts";
import { beginSetup } from "../servers/setup/run.ts";
import type { OrderRow } from "./schema.ts";

/**
 * A newly ordered machine, over SSH. The host at its address proves that it is the machine with the temporary host key, whose
 * private half was only in the user data of our order. Over that connection the machine's own key is read, and only that key is
 * trusted afterwards.
 */
export interface Machines {
  /** Makes the machine's own host key and returns it. Rejects while the machine does not respond. */
  makeHostKey: (order: OrderRow, server: ServerForWork) => Promise<string>;
  /** Makes sshd on the machine use its own key, which was pinned. */
  showHostKey: (order: OrderRow, server: ServerForWork) => Promise<void>;
  /** Connects and begins the setup; does nothing if it has begun. */
  beginSetup: (server: ServerForWork) => Promise<void>;
}

const scriptTimeoutMs = 300_000;

export const sshMachines = (ctx: Context): Machines => ({
  makeHostKey: async (order, server) => readHostKey(await execute(ctx, server, order.boot_host_key, makeHostKey)),
  showHostKey: async (order, server) => {
    if (await answersWith(ctx, server, order.host_key)) return;
    await execute(ctx, server, order.boot_host_key, showHostKey(server.ssh_public_key));
  },
  beginSetup: async (server) => {
    await beginSetup(ctx, server, await ctx.hosts.get(server.id));
  },
});

async function execute(ctx: Context, server: ServerForWork, hostKey: string | null, script: Script): Promise<string> {
  const connection = await connectWith(ctx, server, hostKey);
  try {
    const { exitCode, stdout, stderr } = await connection.exec(script, { timeoutMs: scriptTimeoutMs });
    if (exitCode === 0) return stdout;
    throw new AppError("server_unreachable", `${server.name} could not change its host key: ${lastLine(stderr)}`);
  } finally {
    connection.close();
  }
}

/** Whether the machine uses this key already: there may have been an interruption between the change and its record. */
async function answersWith(ctx: Context, server: ServerForWork, hostKey: string | null): Promise<boolean> {
  try {
    (await connectWith(ctx, server, hostKey)).close();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "host_key_changed") return false;
    throw error;
  }
}

async function connectWith(ctx: Context, server: ServerForWork, hostKey: string | null) {
  if (hostKey === null) throw new Error(`Server ${server.id} has no host key to trust`);
  refuseAddress(ctx.config, server.public_ip);
  const address: Address = {
    name: server.name,
    host: server.public_ip,
    port: server.ssh_port,
    hostKey,
    privateKey: ctx.secrets.decrypt(server.ssh_private_key),
  };
  return connect(address, ctx.config.sshConnectTimeoutSeconds * 1_000);
}

/** The server of an order with its address; throws if it is gone. */
export async function getServerOf(ctx: Context, order: OrderRow): Promise<ServerForWork> {
  const server = order.server_id === null ? undefined : await findServerForWork(ctx.pool, order.server_id);
  if (!server?.public_ip) throw new AppError("refused", "The server was deleted.", { permanent: true });
  return server;
}
