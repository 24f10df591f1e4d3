import type { Db } from "../../db/sql.ts";
import { engineLabels, type SqlEngine } from "../../host/databases/engine.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import { serverStatus } from "../servers/schema.ts";
import { hostingCapabilities } from "./capabilities.ts";
import { findTakenNames, type ServerOfDatabases } from "./queries.ts";

// Rules for names, and for the engines of databases.

const reservedDatabases = new Set([
  ...["mysql", "information_schema", "performance_schema", "sys", "test"],
  ...["postgres", "template0", "template1"],
]);
// Accounts of the engines themselves, and words that mean all of them.
const reservedUsers = new Set(["root", "mysql", "postgres", "public", "none"]);

/** The engine for new databases of the server. Throws `refused` if there is none. */
export function engineOf(server: ServerOfDatabases): SqlEngine {
  const engine = engineIn(server);
  if (engine === undefined) {
    throw hostingCapabilities.refusal("create_database", "no_engine", server);
  }
  if (server.server_status !== serverStatus.provisioned) {
    throw hostingCapabilities.refusal("create_database", "setup_not_ended", server);
  }
  return engine;
}

/** The engine that the server's setup installs; undefined without one. */
export function engineIn({ server_type: type, database_engine: engine }: ServerOfDatabases): SqlEngine | undefined {
  const carriesOne = type === 0 || type === 1;
  return carriesOne && engine !== "none" ? engine : undefined;
}

export interface WantedNames {
  name?: string | undefined;
  username?: string | undefined;
}

/** The errors in the names of a new database or user, as far as the records show. */
export async function databaseErrors(db: Db, serverId: number, { name, username }: WantedNames): Promise<FieldErrors> {
  const taken = await findTakenNames(db, serverId, { name, username });
  const errors: FieldErrors = {};
  if (name !== undefined && (reservedDatabases.has(name) || name.startsWith("pg_"))) {
    errors.name = `The name ${name} is reserved by the database engine.`;
  } else if (taken.name === "exists") {
    errors.name = `A database named ${name} exists on this server already.`;
  } else if (taken.name === "removing") {
    errors.name = `The former database ${name} is still being removed from this server.`;
  }
  if (username !== undefined && (reservedUsers.has(username) || username.startsWith("pg_"))) {
    errors.username = `The username ${username} is reserved by the database engine.`;
  } else if (taken.username) {
    errors.username = `A database user named ${username} exists on this server already.`;
  }
  return errors;
}

/** The same for names in the engine that Longshore did not make. */
export function engineErrors(
  engine: SqlEngine,
  has: { databases: readonly string[]; users: readonly string[] },
  { name, username }: WantedNames,
): FieldErrors {
  const inEngine = `exists in ${engineLabels[engine]} on this server already, and Longshore did not create it.`;
  return {
    ...(name !== undefined && has.databases.includes(name) ? { name: `A database named ${name} ${inEngine}` } : {}),
    ...(username !== undefined && has.users.includes(username)
      ? { username: `A database user named ${username} ${inEngine}` }
      : {}),
  };
}
