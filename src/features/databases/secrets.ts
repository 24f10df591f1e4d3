import type { Context } from "../../context.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import { passwordVerifier } from "../../host/databases/passwords.ts";
import { databaseSecrets } from "./plans.ts";
import type { LockedDatabase } from "./queries.ts";
import { listUsersForWork } from "./users/queries.ts";

/** The verifiers of the passwords of a database's users, for the runs that create the users. */
export async function passwordFiles(
  { pool, secrets }: Pick<Context, "pool" | "secrets">,
  database: LockedDatabase,
): Promise<RunSecrets> {
  const users = await listUsersForWork(pool, database.id);
  const passwords: [string, string][] = [
    [databaseSecrets.owner, secrets.decrypt(database.password)],
    ...users.map((user): [string, string] => [databaseSecrets.user(user.id), secrets.decrypt(user.password)]),
  ];
  return {
    files: Object.fromEntries(
      passwords.map(([name, password]) => [name, passwordVerifier(database.database_type, password)]),
    ),
    masked: passwords.map(([, password]) => password),
  };
}
