import { scriptFile, setBefore, textOf, type Variables } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { hardeningProperties } from "../systemd/hardening.ts";
import type { DatabaseAccount } from "./databases.ts";
import type { SqlEngine } from "./engine.ts";

// Dumps on their way to and from a server. An incoming dump is kept in a directory that only root can enter until a run
// has loaded it.

const file = (name: string): URL => new URL(name, import.meta.url);

const imports = "/var/lib/longshore/imports";

/** Exit status of `receiveDump` when the disk is full. */
export const noRoom = 9;

/**
 * Stores standard input as the dump of an import and prints the number of bytes received. `size`: the announced number
 * of bytes, or 0.
 */
export const receiveDump = (id: number, size: number): Script =>
  scriptFile(file("receive-dump.sh"), { imports, id, size });

/** Removes the dump of an import, complete or not. */
export const removeDump = (id: number): Script => sh`rm -rf -- ${`${imports}/${id}`}`;

type Account = Pick<DatabaseAccount, "engine" | "name" | "username">;

/**
 * Checks an uploaded dump before anything is changed: what it is, and whether it is whole, where that can be seen. A dump that is
 * refused is removed. Otherwise as `loadDump`.
 */
export const checkDump = (id: number, account: Account & { password: string }): Script =>
  scriptFile(file("check-dump.sh"), { ...loading(account, true), imports, id });

/**
 * Loads an uploaded dump (SQL, compressed or not, of this or another version and server, or PostgreSQL's own formats) as the user of
 * the database, and removes it even when loading fails. `password`: the name of the secret that holds the user's password. Needs
 * `fail` and `scratch` (prelude.ts).
 */
export const loadDump = (id: number, account: Account & { password: string }): Script =>
  scriptFile(file("load-dump.sh"), { ...loading(account), imports, id });

/** Loads what a `dumper` prints. Needs `fail` (prelude.ts). */
export const loadFrom = (dumper: Script, account: Account & { password: string }): Script =>
  lines(
    scriptFile(file("loading.sh"), loading(account)),
    sh`
      ${dumper} | load_dump
      echo "The dump is in the database $name."`,
  );

const loading = ({ engine, name, username, password }: Account & { password: string }, check = false) => ({
  check,
  name,
  username,
  password,
  properties: clientProperties,
  loader: loaderOf(engine),
});

/** The program that makes SQL from anywhere SQL for the engine, in Perl (filter.pl). */
export const filterOf = (engine: SqlEngine): string =>
  [textOf(file("filter.pl")), textOf(file(`${engine}/rules.pl`)), "run();"].join("\n");

/** What loads, or with CHECK=1 checks, the dump on its standard input, as the user of the unit. */
export const loaderOf = (engine: SqlEngine): string =>
  scriptFile(file(`${engine}/load.sh`), { filter: filterOf(engine), utf16: textOf(file("utf16.pl")) }).script;

/** What runs as the user of a database sees neither other projects nor the sockets where its system user counts. */
const clientProperties = [
  "DynamicUser=yes",
  ...hardeningProperties,
  "CapabilityBoundingSet=",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
  "IPAddressDeny=any",
  "IPAddressAllow=localhost",
  "InaccessiblePaths=-/etc/nginx -/etc/longshore -/var/lib/longshore -/srv/longshore -/run/dbus -/run/mysqld -/run/postgresql",
  // A project can hold a lock on its tables for as long as it likes.
  "RuntimeMaxSec=43200",
  // A dump can be made so that a program needs more and more.
  "MemoryMax=50%",
  "TasksMax=100",
  "LimitCPU=7200",
];

const dumper = (engine: SqlEngine): string => textOf(file(`${engine}/dump.sh`));

/**
 * Prints a dump of a database, as its user makes it: gzipped SQL from MariaDB, the custom format from PostgreSQL. Standard input is
 * the user's password.
 */
export const dumpDatabase = ({ engine, name, username }: Account): Script =>
  lines(
    sh`
      set -euo pipefail
      cd /`,
    scriptFile(file("client.sh"), { properties: clientProperties, name, username }),
    engine === "mariadb" ? sh`dump_database ${dumper(engine)} | gzip -c` : sh`dump_database ${dumper(engine)}`,
  );

/**
 * Values of named.sh, about some databases: `dump_named NAME` prints the dump of one, uncompressed, and fails where there is none of
 * that name; standard input is its user's password. `print_sizes` prints a line for each, its size in kilobytes.
 */
export const namedDatabases = (accounts: readonly Account[]): Variables => ({
  properties: clientProperties,
  // Those of the database that is dumped.
  name: setBefore,
  username: setBefore,
  mariadb_dumper: dumper("mariadb"),
  postgresql_dumper: dumper("postgresql"),
  databases: accounts.map((account) => account.name),
  usernames: accounts.map((account) => account.username),
  engines: accounts.map(({ engine }) => engine),
});
