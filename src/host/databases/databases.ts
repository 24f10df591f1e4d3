import type { Script } from "../sh.ts";
import type { SqlEngine } from "./engine.ts";
import { scriptOf } from "./script-file.ts";

// Operations on databases and their users on a server. Names may hold anything: the scripts quote them by the engine's own rules.
// The verifier of a password (passwords.ts) comes as a file of `$LONGSHORE_SECRETS`. All scripts can be repeated. They need
// `fail` (prelude.ts).

export interface DatabaseAccount {
  engine: SqlEngine;
  name: string;
  username: string;
  /** Name of the secret with the verifier of the password. */
  secret: string;
  /** The mark of the database and its user as Longshore's; differs for each record. Letters, digits and dashes. */
  mark: string;
  /** Whether other servers connect as well: MariaDB keeps accounts by where they come from. */
  remote: boolean;
}

// From a private network without TLS, from anywhere else only with it. MariaDB takes the first that fits, the narrowest first.
const remoteOrigins = [
  "10.0.0.0/255.0.0.0 NONE",
  "172.16.0.0/255.240.0.0 NONE",
  "192.168.0.0/255.255.0.0 NONE",
  "fc__:% NONE",
  "fd__:% NONE",
  "% SSL",
];
const localOrigins = ["localhost NONE"];
const originsOf = (remote: boolean): readonly string[] => (remote ? [...localOrigins, ...remoteOrigins] : localOrigins);

const originsFor = (engine: SqlEngine, remote: boolean) =>
  engine === "mariadb" ? { origins: originsOf(remote) } : undefined;

const filesOf = (engine: SqlEngine, file: string): string[] => [`${engine}/sql.sh`, `${engine}/${file}.sh`];

const variablesOf = ({ engine, name, username, secret, mark, remote }: DatabaseAccount) => ({
  name,
  username,
  secret,
  mark,
  ...originsFor(engine, remote),
});

/**
 * Makes a database and a user with rights to it alone, or brings them to that. With `checks`, it fails when a database or a user of
 * the name exists that does not carry the mark. With `empties`, all content is removed.
 */
export const createDatabase = (account: DatabaseAccount, { checks = false, empties = false } = {}): Script =>
  scriptOf(filesOf(account.engine, "create"), { ...variablesOf(account), checks, empties });

/** Gives a database that exists a user with all rights to it, and changes none of the users it has. With `checks`, the user is new. */
export const adoptDatabase = (account: DatabaseAccount, { checks = false } = {}): Script =>
  scriptOf(filesOf(account.engine, "adopt"), { ...variablesOf(account), checks });

/** Makes a user that can read the database and nothing else. With `checks`, it fails when such a user exists without the mark. */
export const createReader = (account: DatabaseAccount, { checks = false } = {}): Script =>
  scriptOf(filesOf(account.engine, "reader"), { ...variablesOf(account), checks });

type Named = Pick<DatabaseAccount, "engine" | "name" | "username" | "mark">;

/** Ends the connections of a user that carries the mark, and drops it. */
export const dropUser = ({ engine, name, username, mark }: Named): Script =>
  scriptOf(filesOf(engine, "drop-user"), { name, username, mark, ...originsFor(engine, true) });

/**
 * Ends all connections to a database and drops it with its user and further `readers`. A missing one is no failure.
 * `markedOnly`: nothing is done when the database does not carry the mark.
 */
export const dropDatabase = (
  { engine, name, username, mark }: Named,
  {
    readers = [],
    markedOnly = false,
  }: { readers?: readonly Pick<DatabaseAccount, "username" | "mark">[]; markedOnly?: boolean } = {},
): Script =>
  scriptOf(filesOf(engine, "drop"), {
    name,
    username,
    mark,
    usernames: [username, ...readers.map((reader) => reader.username)],
    ...(engine === "mariadb" ? { marks: [mark, ...readers.map((reader) => reader.mark)] } : undefined),
    ...originsFor(engine, true),
    marked_only: markedOnly,
  });

/** Prints what `parseLook` reads: version, databases and users of the engine. With `namesOnly` it spares itself what takes long. */
export const lookAtEngine = (engine: SqlEngine, { namesOnly = false } = {}): Script =>
  scriptOf([`${engine}/look.sh`], { names_only: namesOnly });
