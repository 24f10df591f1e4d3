import { limitOf } from "../../db/page.ts";
import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { CommandRow } from "./schema.ts";

const columns = sql`
  c.id, c.project_id, p.organization_id, r.server_id, c.run_id, c.initiated_by, c.command, c.timeout_seconds, r.state,
  r.cancel_requested_at, s.exit_code, r.error, c.created_at, r.started_at, r.ended_at
`;

// A plan has the command as its only step.
const joined = sql`
  project_commands c join projects p on p.id = c.project_id join runs r on r.id = c.run_id
    left join run_steps s on s.run_id = r.id and s.position = 0
`;

/** The command and the project that a request names. */
export interface CommandPath {
  projectId: number;
  commandId: number;
}

export const findCommand = (
  db: Db,
  actor: Actor,
  { projectId, commandId }: CommandPath,
): Promise<CommandRow | undefined> =>
  row(
    db,
    sql`
      select ${columns} from ${joined}
      where c.id = ${commandId} and c.project_id = ${projectId} and ${projectReach(actor)}
    `,
  );

/** The newest first, each with the total count. Empty if the project is out of reach. */
export const listCommands = (
  db: Db,
  actor: Actor,
  projectId: number,
  page: PageRequest,
): Promise<(CommandRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, (select count(*) from project_commands t where t.project_id = ${projectId}) as total
      from ${joined} where c.project_id = ${projectId} and ${projectReach(actor)}
      order by c.id desc ${limitOf(page)}
    `,
  );

export async function countCommands(db: Db, projectId: number): Promise<number> {
  const query = sql`select count(*) from project_commands where project_id = ${projectId}`;
  return (await row<{ count: number }>(db, query))?.count ?? 0;
}

/** How many commands of a project have not ended. */
export async function countUnended(db: Db, projectId: number): Promise<number> {
  const query = sql`
    select count(*) from project_commands c join runs r on r.id = c.run_id
    where c.project_id = ${projectId} and r.ended_at is null
  `;
  return (await row<{ count: number }>(db, query))?.count ?? 0;
}

/** Without an actor: only for jobs, never for a response. */
export const listCommandsOfRuns = (db: Db, runIds: readonly number[]): Promise<CommandRow[]> =>
  rows(db, sql`select ${columns} from ${joined} where c.run_id = any(${runIds}::bigint[])`);

export type NewCommand = Pick<CommandRow, "project_id" | "run_id" | "initiated_by" | "command" | "timeout_seconds">;

export async function insertCommand(tx: Db, command: NewCommand): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into project_commands (project_id, run_id, initiated_by, command, timeout_seconds)
      values (${command.project_id}, ${command.run_id}, ${command.initiated_by}, ${command.command},
        ${command.timeout_seconds})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** What is lost with projects. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(
    db,
    lossOf("command", {
      id: sql`c.id`,
      from: sql`project_commands c join projects p on p.id = c.project_id where ${isInScope(scope)}`,
    }),
  );
