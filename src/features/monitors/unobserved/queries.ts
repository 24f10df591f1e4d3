import { type Db, join, row, rows, type Sql, sql } from "../../../db/sql.ts";
import { rebootedSince } from "../../servers/queries.ts";
import { inMaintenance } from "../maintenance-windows/queries.ts";

/**
 * A reason for which checks and evaluations of a monitor count neither as up nor as down. `applies` is a condition on `monitors
 * m` and `projects p`. It is evaluated every few seconds for all active monitors together and again before each fall is recorded,
 * so it must be cheap; a reason with a cron expression stores its current occurrence in a row.
 */
export interface UnobservedReason {
  reason: string;
  applies: (at: Date) => Sql;
}

/** For this long after the reported end of a reboot, results of a server's monitors do not count. */
const rebootGraceSeconds = 60;

export const unobservedReasons: UnobservedReason[] = [
  { reason: "the project is in maintenance mode", applies: () => sql`p.maintenance_mode` },
  {
    reason: "its server is rebooting",
    applies: (at) =>
      rebootedSince(
        sql`coalesce(p.load_balancer_id, p.server_id)`,
        sql`${at}::timestamptz - make_interval(secs => ${rebootGraceSeconds})`,
      ),
  },
  { reason: "it is in a maintenance window", applies: inMaintenance },
];

const firstReason = (at: Date): Sql =>
  sql`case ${join(
    unobservedReasons.map(({ reason, applies }) => sql`when ${applies(at)} then ${reason}::text`),
    " ",
  )} end`;

/** Why observations of this monitor at that time do not count; undefined if they do. */
export async function findUnobservedReason(db: Db, monitorId: number, at: Date): Promise<string | undefined> {
  const found = await row<{ reason: string | null }>(
    db,
    sql`select ${firstReason(at)} as reason from monitors m join projects p on p.id = m.project_id where m.id = ${monitorId}`,
  );
  return found?.reason ?? undefined;
}

/** The same for all active monitors of these ids; returns only those with a reason. */
export const listUnobserved = (
  db: Db,
  monitorIds: readonly number[],
  at: Date,
): Promise<{ id: number; reason: string }[]> =>
  rows(
    db,
    sql`
      select id, reason from (
        select m.id, ${firstReason(at)} as reason from monitors m join projects p on p.id = m.project_id
        where m.id = any(${monitorIds}::bigint[])
      ) looked_at
      where reason is not null
    `,
  );
