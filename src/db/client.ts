import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg, { type PoolClient } from "pg";
import { coalesced } from "../lib/coalesce.ts";
import { withDeadline } from "../lib/deadline.ts";
import { urlsOfHosts } from "../lib/postgres-url.ts";

/** How long opening a connection may take. */
export const connectTimeoutMs = 10_000;
/** After a statement was silent for this long, another connection asks whether the database still works on it. */
const silenceMs = 5_000;
const lookEveryMs = 1_000;
const answerTimeoutMs = 10_000;
/** An answer that left at the same time as that about the session has arrived by then. */
const graceMs = 1_000;
/** The database's own limit has ended the statement by then. */
const limitGraceMs = 5_000;
const endTimeoutMs = 5_000;
const keepAliveMs = 5_000;

/** The hosts of each URL in use. All connections of the process leave a host that does not answer, or cannot be written. */
const hosts = new Map<string, { urls: string[]; current: number }>();

function hostsOf(url: string): { urls: string[]; current: number } {
  const known = hosts.get(url) ?? { urls: urlsOfHosts(url), current: 0 };
  hosts.set(url, known);
  return known;
}

/** How many hosts a URL names: after so many attempts each was asked. */
export const countHosts = (url: string): number => hostsOf(url).urls.length;

/**
 * A connection to the database at `connectionString`, which fails within a limit whatever happens to the database. A host that
 * vanishes closes no connection, and TCP repeats what it sent for 15 minutes: a statement without a sign of life is given up when
 * the database does not answer another connection, or does not work on the statement. One that takes long is not cut.
 *
 * The database must be writable: a standby refuses the connection with 25006, and the next connection goes to the next host.
 */
export class Client extends pg.Client {
  private readonly url: string;
  private limitMs = Number.POSITIVE_INFINITY;
  /** Names this session among those of all servers that the address may lead to. */
  private session: string | undefined;
  private bytesRead = 0;
  private silentSince = 0;
  private isAsking = false;
  declare readonly readyForQuery: boolean | undefined;

  constructor(config: pg.ClientConfig) {
    const address = hostsOf(config.connectionString ?? "");
    const { current } = address;
    super({
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      // Statements that are sent together travel together: a connection still executes them one after the other.
      pipeline: true,
      ...config,
      connectionString: address.urls[current] ?? "",
    });
    this.url = config.connectionString ?? "";
    // A connection that breaks between two statements: the next statement fails.
    this.on("error", () => {});
    // Before the caller learns of the failure, who may connect again at once. A host that refuses for another reason than its state
    // is the right one.
    let isChosen = false;
    const leave = (): void => {
      if (!isChosen && address.current === current) address.current = (current + 1) % address.urls.length;
    };
    const choose = (): void => {
      isChosen = true;
    };
    this.connection.once("error", leave);
    this.connection.once("end", leave);
    this.connection.on("errorMessage", ({ code }: { code?: string }) =>
      /^57P0/.test(code ?? "") ? leave() : choose(),
    );
    this.once("connect", choose);
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: Record<string, string>) => {
      const isReadOnly = parameterName === "in_hot_standby" || parameterName === "default_transaction_read_only";
      if (isReadOnly && parameterValue === "on") this.fail(readOnly());
    });
  }

  /** Begins to give up statements without a sign of life; at once those that the database should have ended after `limitMs`. */
  watch(limitMs: number): void {
    if (limitMs > 0) this.limitMs = limitMs + limitGraceMs;
    // Not the number in the protocol: that of a pooler means nothing to PostgreSQL.
    this.query<{ session: string }>(`select pg_backend_pid() ${ofServer} as session`).then(
      ({ rows }) => {
        this.session = rows[0]?.session;
      },
      () => {},
    );
    const timer = setInterval(() => void this.look(), lookEveryMs).unref();
    this.once("end", () => clearInterval(timer));
  }

  /** For a statement that may take any time: waiting for another process, rewriting a large table. */
  async liftLimit(): Promise<void> {
    await this.query("set statement_timeout = 0");
    this.limitMs = Number.POSITIVE_INFINITY;
  }

  /** As usual, but it does not wait for an answer that never comes. */
  override end(callback?: (error: Error) => void): Promise<void> {
    setTimeout(() => this.stream.destroy(), endTimeoutMs).unref();
    return super.end(callback as (error: Error) => void) as unknown as Promise<void>;
  }

  private get stream(): Socket {
    return this.connection.stream as unknown as Socket;
  }

  /** At once: the same packet may have the message that the connection is ready. */
  private fail(error: Error): void {
    this.connection.emit("error", error);
    this.connection.removeAllListeners("readyForQuery");
    this.stream.destroy();
  }

  private async look(): Promise<void> {
    const { bytesRead } = this.stream;
    if (this.readyForQuery !== false || bytesRead !== this.bytesRead) {
      this.bytesRead = bytesRead;
      this.silentSince = performance.now();
      return;
    }
    const silentMs = performance.now() - this.silentSince;
    if (silentMs < silenceMs || this.isAsking) return;
    this.isAsking = true;
    const isWorking = silentMs < this.limitMs && (await sessionIsWorking(this.url, this.session));
    if (!isWorking) await pause(graceMs, undefined, { ref: false });
    this.isAsking = false;
    if (isWorking || this.readyForQuery !== false || this.stream.bytesRead !== bytesRead) return;
    this.fail(new Error("Connection terminated: the database gave no sign of life"));
  }
}

/** `Client.liftLimit` for a connection of a pool. */
export const liftTimeLimit = (db: PoolClient): Promise<void> => (db as unknown as Client).liftLimit();

const readOnly = (): Error =>
  Object.assign(new Error("the database is read-only: it is a standby, or was set so"), { code: "25006" });

/** Whether the database at the URL answers, and works on a statement of this session. */
async function sessionIsWorking(url: string, session: string | undefined): Promise<boolean> {
  try {
    const working = await workingSessions(url);
    return session === undefined || working.has(session);
  } catch (error) {
    // It answers: it has no connection left to ask by.
    return (error as { code?: unknown }).code === "53300";
  }
}

/** All connections that became silent at the same time share one question. */
const workingSessions = coalesced(
  (url: string) => url,
  async (url) => {
    const client = new Client({ connectionString: url, application_name: "longshore watch" });
    try {
      return await withDeadline(answerTimeoutMs, askForSessions(client), () => {
        throw new Error("The database does not answer");
      });
    } finally {
      client.end().catch(() => {});
    }
  },
);

// A number of a process means nothing on another server.
const ofServer = "|| '@' || extract(epoch from pg_postmaster_start_time())";

async function askForSessions(client: Client): Promise<Set<string>> {
  await client.connect();
  const { rows } = await client.query<{ session: string }>(
    `select pid ${ofServer} as session from pg_stat_activity
     where state not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`,
  );
  return new Set(rows.map((row) => row.session));
}
