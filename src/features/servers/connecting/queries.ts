import { changed, constants, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { SeenHost } from "../../../host/ssh/hosts.ts";
import type { Usage } from "../../../host/system/usage.ts";
import { rebootKind } from "../queries.ts";
import { type ConnectionProblem, serverStatus } from "../schema.ts";

const { installing } = constants(serverStatus);
const { connected } = constants({ connected: 1 });

/** Pins the host key that an address showed, by compare-and-set; returns whether it did: not if another was pinned before. */
export async function pinHostKey(db: Db, id: number, { host, hostKey }: SeenHost): Promise<boolean> {
  const query = sql`
    update servers set host_key = ${hostKey}, seen_ip = ${host}
    where id = ${id} and (host_key is null or host_key = ${hostKey})
  `;
  return (await changed(db, query)) === 1;
}

/**
 * Records the result of a connection check, and when the server was seen; returns the server if that changed it, otherwise undefined.
 * Without `usage`, what was measured before stays.
 */
export const recordConnection = (
  tx: Db,
  id: number,
  result: {
    status: 0 | 1;
    error: string | null;
    problem?: ConnectionProblem | null | undefined;
    usage?: Usage | undefined;
  },
): Promise<{ id: number; organization_id: number; was_connected: boolean } | undefined> =>
  row(
    tx,
    sql`
      with before as (
        select id, connection_status, connection_error, connection_problem from servers where id = ${id} for no key update
      ), seen as (
        insert into server_readings as r (server_id, seen_at, usage, measured_at)
        select id, clock_timestamp(), usage, case when usage is not null then clock_timestamp() end
        from before, (select ${result.usage ? JSON.stringify(result.usage) : null}::jsonb as usage) said
        where ${result.status} = ${connected}
        on conflict (server_id) do update set seen_at = excluded.seen_at, usage = coalesce(excluded.usage, r.usage),
          measured_at = coalesce(excluded.measured_at, r.measured_at)
      )
      update servers s set connection_status = ${result.status}, connection_error = ${result.error},
        connection_problem = ${result.problem ?? null}, connection_checked_at = clock_timestamp()
      from before
      where s.id = before.id
        and (before.connection_status, before.connection_error, before.connection_problem)
          is distinct from (${result.status}::smallint, ${result.error}::text, ${result.problem ?? null}::text)
      returning s.id, s.organization_id, before.connection_status = ${connected} as was_connected
    `,
  );

/**
 * Claims up to `limit` servers whose connection was not checked for a minute; no other process gets them. Skips a rebooting
 * server: the end of the reboot updates its state.
 */
export const claimConnectionChecks = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      update servers set connection_checked_at = clock_timestamp()
      where id in (
        select id from servers s
        where server_status > ${installing}
          and (connection_checked_at is null or connection_checked_at < clock_timestamp() - interval '1 minute')
          and not exists (
            select 1 from runs r where r.server_id = s.id and r.kind = ${rebootKind.kind} and r.ended_at is null)
        order by connection_checked_at nulls first limit ${limit} for update skip locked
      )
      returning id
    `,
  );

/** Starts the attempts at a server's first connection. */
export async function startConnecting(tx: Db, id: number): Promise<void> {
  await tx.query(sql`
    update servers set connecting_since = clock_timestamp(), connect_at = clock_timestamp(), connection_error = null,
      connection_problem = null
    where id = ${id}
  `);
}

export interface FirstConnection {
  id: number;
  /** Identifies this claim among later ones. */
  claim: string;
}

/** Claims up to `limit` servers whose first connection is due. An interrupted attempt is repeated two minutes later. */
export const claimFirstConnections = (db: Db, limit: number): Promise<FirstConnection[]> =>
  rows(
    db,
    sql`
      update servers set connect_at = clock_timestamp() + interval '2 minutes'
      where id in (
        select id from servers where connect_at <= clock_timestamp() and server_status = ${installing}
        order by connect_at limit ${limit} for update skip locked
      )
      returning id, connect_at::text as claim
    `,
  );

/** Sets when the first connection is attempted again; null: never. A retry that was requested since the claim stays. */
export const setNextConnection = (
  db: Db,
  { id, claim }: FirstConnection,
  afterSeconds: number | null,
): Promise<number> =>
  changed(
    db,
    sql`
      update servers set connect_at = clock_timestamp() + make_interval(secs => ${afterSeconds}::double precision)
      where id = ${id} and connect_at = ${claim}::text::timestamptz
    `,
  );
