import { scriptFile, type Variables } from "../script-file.ts";
import type { Script } from "../sh.ts";
import { accountConnections, type SqlEngine } from "./engine.ts";

// Operations on databases and their users on a server. Names may contain any character: the scripts quote them by the
// engine's own rules. The verifier of a password (passwords.ts) comes as a file of `$LONGSHORE_SECRETS`. All scripts can be
// repeated. They need `fail` (prelude.ts).

export interface DatabaseAccount {
  engine: SqlEngine;
  name: string;
  username: string;
  /** Name of the secret that holds the verifier of the password. */
  secret: string;
  /** Marks the database and its user as Longshore's; unique for each record. Letters, digits and dashes. */
  mark: string;
  /** Whether other servers connect as well: a MariaDB account includes the client's address. */
  remote: boolean;
}

// From a private network without TLS, from other addresses only with TLS. MariaDB uses the first account that matches,
// the narrowest first.
const remoteOrigins = [
  "10.0.0.0/255.0.0.0 NONE",
  "172.16.0.0/255.240.0.0 NONE",
  "192.168.0.0/255.255.0.0 NONE",
  "fc__:% NONE",
  "fd__:% NONE",
  "% SSL",
];
const localOrigins = ["localhost NONE"];

const originsFor = (engine: SqlEngine, remote: boolean) =>
  engine === "mariadb" ? { origins: remote ? [...localOrigins, ...remoteOrigins] : localOrigins } : undefined;

const script = (engine: SqlEngine, name: string, values: Variables): Script =>
  scriptFile(new URL(`${engine}/${name}.sh`, import.meta.url), values);

const variablesOf = ({ engine, name, username, secret, mark, remote }: DatabaseAccount) => ({
  name,
  username,
  secret,
  mark,
  connections: accountConnections(engine),
  ...originsFor(engine, remote),
});

/**
 * Creates a database and a user with rights to it alone, or updates existing ones to that. With `checks`, it fails when a
 * database or a user of the name exists without the mark. With `empties`, all content is removed.
 */
export const createDatabase = (account: DatabaseAccount, { checks = false, empties = false } = {}): Script =>
  script(account.engine, "create", { ...variablesOf(account), checks, empties });

/** Creates a user with all rights to an existing database, and changes none of its users. With `checks`, the user must be new. */
export const adoptDatabase = (account: DatabaseAccount, { checks = false } = {}): Script =>
  script(account.engine, "adopt", { ...variablesOf(account), checks });

/**
 * Creates a user that can read the database and do nothing else. With `checks`, it fails when such a user exists
 * without the mark.
 */
export const createReader = (account: DatabaseAccount, { checks = false } = {}): Script =>
  script(account.engine, "reader", { ...variablesOf(account), checks });

type Named = Pick<DatabaseAccount, "engine" | "name" | "username" | "mark">;

/** Closes the connections of a user that carries the mark, and drops it. */
export const dropUser = ({ engine, name, username, mark }: Named): Script =>
  script(engine, "drop-user", { name, username, mark, ...originsFor(engine, true) });

/**
 * Closes all connections to a database and drops it with its user and further `readers`. A missing database is not a
 * failure. `markedOnly`: nothing happens when the database does not carry the mark.
 */
export const dropDatabase = (
  { engine, name, username, mark }: Named,
  {
    readers = [],
    markedOnly = false,
  }: { readers?: readonly Pick<DatabaseAccount, "username" | "mark">[]; markedOnly?: boolean } = {},
): Script =>
  script(engine, "drop", {
    name,
    username,
    mark,
    usernames: [username, ...readers.map((reader) => reader.username)],
    ...(engine === "mariadb" ? { marks: [mark, ...readers.map((reader) => reader.mark)] } : undefined),
    ...originsFor(engine, true),
    marked_only: markedOnly,
  });

/** Prints the input of `parseLook`: version, databases and users of the engine. With `namesOnly` it skips slow queries. */
export const probeEngine = (engine: SqlEngine, { namesOnly = false } = {}): Script =>
  script(engine, "look", { names_only: namesOnly });

/** Prints a line when the engine has a database or a user of these names. */
export const namesTaken = ({ engine, name, username }: Omit<Named, "mark">): Script =>
  script(engine, "taken", { name, username });
