import type pg from "pg";
import { settings } from "../config.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import { Client, countHosts } from "./client.ts";

const timeoutMs = 10_000;

/** The oldest supported major version, as server_version_num shows it. */
const oldestVersion = 140_000;

/**
 * Connects once to the database of DATABASE_URL, to each of its hosts until one can be written. When it cannot, or that database
 * cannot hold an installation, throws AppError("configuration") with one sentence for each host about the cause and the remedy,
 * without the password. Changes nothing.
 */
export async function checkConnection(url: string): Promise<void> {
  const failures: { sentence: string; cause?: unknown }[] = [];
  for (let left = countHosts(url); left > 0; left--) {
    const failure = await tryOnce(url);
    if (!failure) return;
    failures.push(failure);
  }
  const sentences = failures.map(({ sentence }) => sentence).join(" Also, ");
  const { cause } = failures[0] ?? {};
  throw new AppError("configuration", `${settings.databaseUrl.env}: ${sentences}`, { cause });
}

async function tryOnce(url: string): Promise<{ sentence: string; cause?: unknown } | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  try {
    await client.connect();
    const sentence = unfitnessOf(targetOf(client), (await client.query<Facts>(facts)).rows[0] as Facts);
    return sentence === undefined ? undefined : { sentence };
  } catch (cause) {
    return { sentence: sentenceOf(client, cause), cause };
  } finally {
    await client.end().catch(() => {});
  }
}

interface Target {
  /** Host and port. */
  at: string;
  user: string;
  database: string;
}

const targetOf = ({ host, port, user, database }: pg.Client): Target => ({
  at: `${host}:${port}`,
  user: user ?? "",
  database: database ?? "",
});

interface Facts {
  version: number;
  versionName: string;
  encoding: string;
  hasIcu: boolean;
  isInstalled: boolean;
  mayCreate: boolean | null;
}

// Works with old versions as well, which it has to recognize.
const facts = `
  select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionName",
    current_setting('server_encoding') as encoding,
    exists (select 1 from pg_collation where collname = 'und-x-icu') as "hasIcu",
    exists (select 1 from pg_class where relname = 'schema_migrations') as "isInstalled",
    has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create')
      as "mayCreate"`;

function unfitnessOf({ at, user, database }: Target, found: Facts): string | undefined {
  if (found.version < oldestVersion) {
    return `PostgreSQL at ${at} is version ${found.versionName}; Longshore needs ${oldestVersion / 10_000} or newer. Upgrade it, or use another one.`;
  }
  if (found.encoding !== "UTF8") {
    return `the database ${database} has the encoding ${found.encoding}. Create one in UTF8: create database "${database}" owner "${user}" encoding 'UTF8' template template0.`;
  }
  if (!found.hasIcu) {
    return `PostgreSQL at ${at} was built without ICU, by which lists are ordered. Use one with it, such as that of your distribution.`;
  }
  if (!found.isInstalled && found.mayCreate !== true) {
    return `the user ${user} may not create tables and schemas in the database ${database}. Make it the owner: alter database "${database}" owner to "${user}".`;
  }
  return undefined;
}

function sentenceOf(client: pg.Client, cause: unknown): string {
  const target = targetOf(client);
  // For a host with several addresses, each with its own failure, the first.
  const error = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause;
  const code = String((error as { code?: unknown }).code ?? "");
  const message = messageOf(error);
  const known = sentences.find(([pattern]) => pattern.test(code) || pattern.test(message));
  return known ? known[1](target) : `PostgreSQL at ${target.at} answered: ${message}.`;
}

// The codes are Node's, OpenSSL's and PostgreSQL's (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const sentences: readonly [RegExp, (target: Target) => string][] = [
  [/^ECONNREFUSED$/, ({ at }) => `nothing listens at ${at}. Start PostgreSQL there, or correct host and port.`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, ({ at }) => `the host of ${at} has no address. Correct its name.`],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, ({ at }) => `there is no route to ${at}. Correct the host, or the network.`],
  [
    /^ETIMEDOUT$|timeout expired/,
    ({ at }) =>
      `${at} did not answer within ${timeoutMs / 1_000} s. Correct host and port, or let a firewall pass them.`,
  ],
  [/^ENOENT$/, ({ at }) => `there is no socket of PostgreSQL at ${at}. Start PostgreSQL, or correct the path.`],
  [
    /no encryption/,
    ({ at }) => `PostgreSQL at ${at} takes encrypted connections only. Add ?sslmode=verify-full to the address.`,
  ],
  [
    /does not support SSL/,
    ({ at }) => `PostgreSQL at ${at} does not encrypt. Switch TLS on there, or remove sslmode from the address.`,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_/,
    ({ at }) =>
      `the certificate of ${at} is not signed by an authority that this machine trusts. Name its authority: sslrootcert=FILE in the address.`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ at }) => `the certificate of ${at} is for another host name. Use the name in it.`,
  ],
  [
    /^28P01$|password must be a string/,
    ({ at, user }) => `PostgreSQL at ${at} refused the password of the user ${user}. Correct it.`,
  ],
  [
    /^28000$/,
    ({ at, user, database }) =>
      `PostgreSQL at ${at} does not let the user ${user} into the database ${database}. Correct the user, or allow it in pg_hba.conf.`,
  ],
  [
    /^3D000$/,
    ({ at, user, database }) =>
      `PostgreSQL at ${at} has no database ${database}. Create it: create database "${database}" owner "${user}".`,
  ],
  [
    /^25006$/,
    ({ at }) =>
      `PostgreSQL at ${at} is read-only: it is a standby, or was set so. Name the primary, or all hosts: postgresql://…@host1:5432,host2:5432/….`,
  ],
  [/^53300$/, ({ at }) => `PostgreSQL at ${at} has no connection left. Raise its max_connections.`],
];
