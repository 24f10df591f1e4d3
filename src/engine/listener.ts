import { Client } from "../db/client.ts";
import { messageOf } from "../lib/errors.ts";
import type { Logger } from "../lib/log.ts";

type OnNotification = (payload: string) => void;

const reconnectMs = 500;
/** Nothing else is sent on the connection: without this, a database that vanished would be noticed by no one. */
const beatMs = 5_000;

/**
 * One connection that receives PostgreSQL's notifications. After a lost connection it calls every listener, because
 * notifications may have been missed.
 */
export class Listener {
  private readonly url: string;
  private readonly log: Logger;
  private readonly listeners = new Map<string, Set<OnNotification>>();
  private client: Client | undefined;
  private stopped = false;

  constructor(url: string, log: Logger) {
    this.url = url;
    this.log = log;
  }

  /** Does nothing after `stop`: a lost connection may still be waiting for its replacement. */
  async start(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({ connectionString: this.url, application_name: "longshore listener" });
    // Only for the connection in use: a connection that could not be opened rejects the promise, and ends too.
    client.on("end", () => (this.client === client ? this.reconnect() : undefined));
    client.on("notification", ({ channel, payload }) => this.tell(channel, payload ?? ""));
    await client.connect();
    client.watch(0);
    const beat = setInterval(() => void client.query("select 1").catch(() => undefined), beatMs).unref();
    client.once("end", () => clearInterval(beat));
    try {
      for (const channel of this.listeners.keys()) await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
    if (this.stopped) await client.end();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.client?.end();
  }

  /** Calls back at each notification on a channel; with an empty payload when some may have been missed. */
  async listen(channel: string, onNotification: OnNotification): Promise<() => void> {
    const listeners = this.listeners.get(channel) ?? new Set();
    listeners.add(onNotification);
    if (!this.listeners.has(channel)) {
      this.listeners.set(channel, listeners);
      // A connection that breaks is replaced, and listens to all channels.
      await this.client?.query(`listen ${channel}`).catch(() => undefined);
    }
    return () => listeners.delete(onNotification);
  }

  private tell(channel: string, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  private reconnect(): void {
    if (this.stopped) return;
    this.client = undefined;
    setTimeout(() => {
      this.start().then(
        () => this.notifyAll(),
        (error) => {
          this.log.warn(`The database cannot be listened to: ${messageOf(error)}`);
          this.reconnect();
        },
      );
    }, reconnectMs).unref();
  }

  private notifyAll(): void {
    for (const channel of this.listeners.keys()) this.tell(channel, "");
  }
}
