import { connect } from "./connect.ts";
import type { Address, Connection } from "./connection.ts";

/** A host key, and the address that showed it. */
export interface SeenHost {
  host: string;
  hostKey: string;
}

export interface HostsOptions {
  /**
   * The current address of a server, and whether it showed the pinned key before; throws when there is no such server. Called for
   * each new connection.
   */
  lookUp: (serverId: number) => Promise<Address & { isSeen?: boolean }>;
  /** Pins the key at the first contact with an address; must refuse (throw) when another key was pinned in the meantime. */
  pin: (serverId: number, seen: SeenHost) => Promise<void>;
  /** Called with each new connection before anyone else gets it; when it throws, the connection is closed. */
  greet?: (serverId: number, connection: Connection) => Promise<void>;
  connectTimeoutMs: number;
}

// Connecting costs 260 ms: a connection is kept as long as the other side keeps it, up to this long without use.
const idleMs = 10 * 60_000;

/** The kept connections, one per server. */
export class Hosts {
  private readonly options: HostsOptions;
  private readonly connections = new Map<number, Promise<Connection>>();
  private readonly idleTimers = new Map<number, NodeJS.Timeout>();

  constructor(options: HostsOptions) {
    this.options = options;
  }

  /** The server's connection, opened when there is none. Fails as `connect` does; the next call tries again. */
  get(serverId: number): Promise<Connection> {
    const known = this.connections.get(serverId);
    this.keepAwhile(serverId);
    if (known) return known;
    const connecting = this.connect(serverId);
    this.connections.set(serverId, connecting);
    connecting.then(
      (connection) => connection.onClose(() => this.drop(serverId, connecting)),
      () => this.drop(serverId, connecting),
    );
    return connecting;
  }

  /** Forgets a server's connection: its address or key changed, or it was deleted. */
  async forget(serverId: number): Promise<void> {
    const connecting = this.connections.get(serverId);
    if (!connecting) return;
    this.drop(serverId, connecting);
    await connecting.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections.keys()].map((serverId) => this.forget(serverId)));
  }

  private async connect(serverId: number): Promise<Connection> {
    const address = await this.options.lookUp(serverId);
    const connection = await connect(address, this.options.connectTimeoutMs);
    try {
      if (!address.hostKey || !address.isSeen) {
        await this.options.pin(serverId, { host: address.host, hostKey: connection.hostKey });
      }
      await this.options.greet?.(serverId, connection);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  private drop(serverId: number, connecting: Promise<Connection>): void {
    if (this.connections.get(serverId) !== connecting) return;
    this.connections.delete(serverId);
    clearTimeout(this.idleTimers.get(serverId));
    this.idleTimers.delete(serverId);
  }

  private keepAwhile(serverId: number): void {
    clearTimeout(this.idleTimers.get(serverId));
    const timer = setTimeout(() => void this.forget(serverId), idleMs);
    timer.unref();
    this.idleTimers.set(serverId, timer);
  }
}
