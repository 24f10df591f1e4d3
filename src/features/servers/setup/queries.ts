import { limitOf } from "../../../db/page.ts";
import { type Db, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { setupKind } from "../queries.ts";

/** The part of a setup in lists. */
export type SetupRun = Pick<Run, "id" | "state" | "error" | "created_at" | "started_at" | "ended_at"> & {
  setup_version: string | null;
};

// The page is a subquery: plans are large, and only those of the page are read.
/** A page of a server's setups, the newest first, each with the total count. */
export const listSetupRuns = (db: Db, serverId: number, page: PageRequest): Promise<(SetupRun & { total: number })[]> =>
  rows(
    db,
    sql`
      select r.id, r.state, r.error, r.created_at, r.started_at, r.ended_at, r.plan ->> 'version' as setup_version,
        (${countSetups(serverId)}) as total
      from (
        select * from runs where kind = ${setupKind.kind} and subject_id = ${serverId} order by id desc ${limitOf(page)}
      ) r order by r.id desc
    `,
  );

export async function countSetupRuns(db: Db, serverId: number): Promise<number> {
  return (await row<{ total: number }>(db, sql`select (${countSetups(serverId)}) as total`))?.total ?? 0;
}

/** The newest setup of a server, with the number of its steps in the states that decide how it went. */
export interface CountedSetup extends Pick<Run, "state" | "ended_at"> {
  server_id: number;
  pending: number;
  failed: number;
  unreported: number;
}

export const listNewestSetups = (db: Db, serverIds: readonly number[]): Promise<CountedSetup[]> =>
  rows(
    db,
    sql`
      select asked.id as server_id, r.state, r.ended_at, steps.pending, steps.failed, steps.unreported
      from unnest(${[...serverIds]}::bigint[]) as asked (id)
      cross join lateral (
        select id, state, ended_at from runs where kind = ${setupKind.kind} and subject_id = asked.id order by id desc limit 1
      ) r
      cross join lateral (
        select count(*) filter (where status = 'pending')::integer as pending,
          count(*) filter (where status = 'failed')::integer as failed,
          count(*) filter (where status = 'unreported')::integer as unreported
        from run_steps where run_id = r.id
      ) steps
    `,
  );

const countSetups = (serverId: number): Sql =>
  sql`select count(*) from runs where kind = ${setupKind.kind} and subject_id = ${serverId}`;
