import pg from "pg";
import { Client, connectTimeoutMs as usualConnectTimeoutMs } from "./client.ts";

export type { Pool } from "pg";

export interface PoolOptions {
  max?: number;
  /** The name shown in pg_stat_activity. */
  applicationName?: string;
  /** After this many milliseconds a statement is cancelled by the database; 0 for never. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, including one that other callers hold. */
  connectTimeoutMs?: number;
  /** False: a commit does not wait for the disk. Losing such a commit in a crash of the database must be harmless. */
  durable?: boolean;
}

/**
 * A pool of connections to the database at `url`. It connects on first use; `pool.end()` waits for queries to finish. A query fails
 * within `connectTimeoutMs` and some 20 s when the database vanishes (client.ts).
 *
 * Values in JavaScript: int8 a number, timestamptz the text `2026-03-01T10:20:30.123456Z`, jsonb parsed, inet, date and
 * numeric their text, bytea a Buffer.
 */
export function openPool(url: string, options: PoolOptions = {}): pg.Pool {
  const { max = 10, applicationName = "longshore", statementTimeoutMs = 30_000, durable = true } = options;
  const { connectTimeoutMs = usualConnectTimeoutMs } = options;
  // In the start-up packet, so that they cost no round trip. An idle open transaction holds locks: it is ended, and so is the
  // session of a process that vanished. Data is read from memory or from an SSD: a plan that was cached while there was little
  // data must use indexes as well.
  const settings = Object.entries({
    TimeZone: "UTC",
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 5,
    tcp_user_timeout: 20_000,
    synchronous_commit: durable ? "on" : "off",
    random_page_cost: 1.1,
  });
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    // An unused connection takes 3 to 6 MB of PostgreSQL's memory. The last one used is used next, so the others become idle.
    idleTimeoutMillis: 5_000,
    Client: Client as unknown as new () => Client,
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(" "),
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced by the pool; without a listener the event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => (client as unknown as Client).watch(statementTimeoutMs));
  return pool;
}

type Parser = (text: string) => unknown;

const { builtins } = pg.types;
const dateArray = 1182;
const int8Array = 1016;

const parsers = new Map<number, Parser>([
  [builtins.INT8, toInteger],
  [int8Array, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(toNullableInteger))],
  [builtins.TIMESTAMPTZ, toIsoTime],
  [builtins.DATE, (text) => text],
  [dateArray, (text) => (text === "{}" ? [] : text.slice(1, -1).split(","))],
]);

// The driver requests a parser by type and format; its own typings know only the types it names itself.
function getTypeParser(type: number, format: string = "text"): Parser {
  const own = format === "text" ? parsers.get(type) : undefined;
  return own ?? (pg.types.getTypeParser(type, format as "text") as Parser);
}

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a JavaScript number.`);
  return value;
}

const toNullableInteger = (text: string): number | null => (text === "NULL" ? null : toInteger(text));

/**
 * Converts `2026-03-01 10:20:30.1+00`, as printed by a session in UTC, to `2026-03-01T10:20:30.100000Z`. A text rather
 * than a Date: a Date would drop the microseconds, and the API needs them.
 */
export function toIsoTime(text: string): string {
  if (!text.endsWith("+00") || text.length < 22) return text;
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const fraction = text.slice(20, -3);
  return `${seconds}.${fraction.padEnd(6, "0")}Z`;
}
