import { fromTheStart, type Plan, plan, type Step, step } from "../../engine/runs/plan.ts";
import {
  adoptDatabase,
  createDatabase,
  createReader,
  type DatabaseAccount,
  dropDatabase,
  dropUser,
} from "../../host/databases/databases.ts";
import { checkDump, loadDump } from "../../host/databases/dumps.ts";
import { engineLabels, type SqlEngine } from "../../host/databases/engine.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import type { Script } from "../../host/sh.ts";
import type { LockedDatabase } from "./queries.ts";
import { databaseKind, databaseStatus, importKind } from "./schema.ts";
import type { UserForWork } from "./users/queries.ts";

/** A database as plans see it. */
export interface DatabaseOnServer {
  id: number;
  engine: SqlEngine;
  name: string;
  username: string;
  /** It exists on the server: a database with its names there is this one. */
  exists: boolean;
  isAdopted: boolean;
  /** All its content is to be removed. */
  isEmptying: boolean;
  /** Other servers connect to it as well. */
  remote: boolean;
  users: readonly UserOnServer[];
}

export interface UserOnServer {
  id: number;
  username: string;
  exists: boolean;
  isRemoved: boolean;
}

/** The rows of a database and its users as plans see them. `remote`: other servers connect to it as well. */
export const databaseOnServer = (
  database: LockedDatabase,
  users: readonly UserForWork[],
  remote: boolean,
): DatabaseOnServer => ({
  id: database.id,
  engine: database.database_type,
  name: database.database_name,
  username: database.username,
  exists: database.status === databaseStatus.exists,
  isAdopted: database.is_adopted,
  isEmptying: database.is_emptying,
  remote,
  users: users.map((user) => ({
    id: user.id,
    username: user.username,
    exists: user.status === databaseStatus.exists,
    isRemoved: user.removed_at !== null,
  })),
});

/** Names of the files in `$LONGSHORE_SECRETS` with the passwords' verifiers. */
export const databaseSecrets = {
  owner: "database_owner",
  user: (id: number): string => `database_user_${id}`,
  /** The password itself, for connections as the owner. */
  password: "database_password",
} as const;

/** Keys of the steps that show a run's progress. */
export const stepKeys = {
  empty: "empty-database",
  drop: "drop-database",
  user: (id: number): string => `user-${id}`,
  removedUser: (id: number): string => `remove-user-${id}`,
} as const;

/** Marks a database and its own user as Longshore's. */
const databaseMark = (id: number): string => `longshore-database-${id}`;
const userMark = (id: number): string => `longshore-database-user-${id}`;

/** Makes the server have a database with its users. Users come last, so that their failures block nothing else. */
export const creationPlan = (database: DatabaseOnServer): Plan => {
  const { engine, users } = database;
  const removals = users
    .filter(({ isRemoved }) => isRemoved)
    .map((user) => {
      const script = dropUser(userAccount(database, user));
      return databaseStep(stepKeys.removedUser(user.id), `Remove the user ${user.username}`, { engine, script });
    });
  const readers = users
    .filter(({ isRemoved }) => !isRemoved)
    .map((user) => {
      const script = createReader(userAccount(database, user), { checks: !user.exists });
      return databaseStep(stepKeys.user(user.id), `User ${user.username}`, { engine, script, onFailure: "continue" });
    });
  const steps = [ownerStep(database), ...removals, ...readers];
  return plan(databaseKind.kind, steps, { pointOfNoReturn: fromTheStart });
};

const loadSeconds = 6 * 3600;

/** Loads an uploaded dump into an existing database; with `isEmptying`, empties it first. */
export const importPlan = (importId: number, database: DatabaseOnServer): Plan =>
  plan(
    importKind.kind,
    [
      importStep("check-dump", "Check the dump", checkDump(importId, loaderOf(database))),
      ...(database.isEmptying ? creationPlan(database).steps : []),
      importStep("load-dump", `Load a dump into ${database.name}`, loadDump(importId, loaderOf(database))),
    ],
    { pointOfNoReturn: fromTheStart },
  );

const loaderOf = (database: DatabaseOnServer) => ({ ...database, password: databaseSecrets.password });

const importStep = (key: string, label: string, script: Script): Step =>
  step(key, label, withPrelude("The dump was not loaded.", script), { phase: "database", timeoutSeconds: loadSeconds });

/** Removes a database with its users from the server. If it was never finished, removes only objects with Longshore's mark. */
export function removalPlan(database: DatabaseOnServer): Plan {
  const { engine, name, username, id, users, exists, isAdopted } = database;
  const names = { engine, name, username, mark: databaseMark(id) };
  const readers = users.map((user) => ({ username: user.username, mark: userMark(user.id) }));
  // A failed adoption leaves the database to its owners.
  const script = isAdopted && !exists ? dropUser(names) : dropDatabase(names, { readers, markedOnly: !exists });
  return plan(databaseKind.kind, [databaseStep(stepKeys.drop, `Remove the database ${name}`, { engine, script })], {
    pointOfNoReturn: fromTheStart,
  });
}

function ownerStep(database: DatabaseOnServer): Step {
  const { engine, name, isAdopted, isEmptying, exists } = database;
  const account = accountOf(database, {
    username: database.username,
    secret: databaseSecrets.owner,
    mark: databaseMark(database.id),
  });
  const checks = !exists;
  if (isEmptying) {
    const script = createDatabase(account, { checks, empties: true });
    return databaseStep(stepKeys.empty, `Empty the database ${name}`, { engine, script });
  }
  if (isAdopted) {
    const script = adoptDatabase(account, { checks });
    return databaseStep("adopt-database", `Adopt the database ${name}`, { engine, script });
  }
  const script = createDatabase(account, { checks });
  return databaseStep("create-database", `Database ${name}`, { engine, script });
}

const userAccount = (database: DatabaseOnServer, { id, username }: UserOnServer): DatabaseAccount =>
  accountOf(database, { username, secret: databaseSecrets.user(id), mark: userMark(id) });

const accountOf = (
  { engine, name, remote }: DatabaseOnServer,
  who: Pick<DatabaseAccount, "username" | "secret" | "mark">,
): DatabaseAccount => ({ engine, name, remote, ...who });

const databaseStep = (
  key: string,
  label: string,
  { engine, script, onFailure = "stop" }: { engine: SqlEngine; script: Script; onFailure?: Step["onFailure"] },
): Step =>
  step(key, label, withPrelude(`${engineLabels[engine]} did not carry it out.`, script), {
    onFailure,
    phase: "database",
  });
