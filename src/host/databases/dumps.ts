import { scriptFile, textOf } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";
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

type LoadingAccount = Pick<DatabaseAccount, "engine" | "name" | "username" | "secret">;

/**
 * Loads a dump (SQL, compressed by gzip or not, or PostgreSQL's custom format) as the user of the database, and removes the dump
 * even when loading fails. The secret holds the password. Needs `fail` and `scratch` (prelude.ts).
 */
export const loadDump = (id: number, { engine, name, username, secret }: LoadingAccount): Script =>
  scriptFile(file("load-dump.sh"), {
    imports,
    id,
    name,
    username,
    secret,
    properties: loaderProperties,
    loader: textOf(file(`${engine}/load.sh`)),
  });

const loaderProperties = [
  "DynamicUser=yes",
  ...hardeningProperties,
  "CapabilityBoundingSet=",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
  "IPAddressDeny=any",
  "IPAddressAllow=localhost",
  "InaccessiblePaths=-/etc/nginx -/etc/longshore -/var/lib/longshore -/srv/longshore -/run/dbus -/run/mysqld -/run/postgresql",
];

/** Prints a dump of a database: gzipped SQL from MariaDB, the custom format from PostgreSQL. */
export const dumpDatabase = (engine: SqlEngine, { name, username }: { name: string; username: string }): Script =>
  scriptFile(file(`${engine}/dump.sh`), engine === "mariadb" ? { name } : { name, role: username });
