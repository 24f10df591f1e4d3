import { hardeningProperties } from "../hardening.ts";
import { type Script, sh } from "../sh.ts";
import type { DatabaseAccount } from "./databases.ts";
import type { SqlEngine } from "./engine.ts";
import { scriptOf, textOf } from "./script-file.ts";

// Dumps on their way to a server and from it. Those that come are kept in a directory of root's until a run has loaded them.

const imports = "/var/lib/longshore/imports";

/** Exit status of `receiveDump` when the disk has no room. */
export const noRoom = 9;

/** Keeps standard input as the dump of an import and prints how many bytes came. `size`: as many as were announced, or 0. */
export const receiveDump = (id: number, size: number): Script => scriptOf(["receive-dump.sh"], { imports, id, size });

/** Removes what there is of the dump of an import. */
export const removeDump = (id: number): Script => sh`rm -rf -- ${`${imports}/${id}`}`;

type LoadingAccount = Pick<DatabaseAccount, "engine" | "name" | "username" | "secret">;

/**
 * Loads a dump (SQL, compressed by gzip or not, or PostgreSQL's custom format) as the user of the database, and removes it whatever
 * comes of it. The secret holds the password. Needs `fail` and `scratch` (prelude.ts).
 */
export const loadDump = (id: number, { engine, name, username, secret }: LoadingAccount): Script =>
  scriptOf(["load-dump.sh"], {
    imports,
    id,
    name,
    username,
    secret,
    properties: loaderProperties,
    loader: textOf(`${engine}/load.sh`),
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

/** Prints a dump of a database: SQL compressed by gzip of MariaDB, the custom format of PostgreSQL. */
export const dumpDatabase = (engine: SqlEngine, { name, username }: { name: string; username: string }): Script =>
  scriptOf([`${engine}/dump.sh`], engine === "mariadb" ? { name } : { name, role: username });
