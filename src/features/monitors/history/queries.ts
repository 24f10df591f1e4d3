import { type Db, rows, sql } from "../../../db/sql.ts";
import type { ObservedState } from "../schema.ts";

export interface HourRow {
  hour: string;
  checks: number;
  ok: number;
  unobserved: number;
  latency_sum_ms: number;
  latency: number[];
  statuses: number[];
}

export interface Range {
  from: Date;
  to: Date;
}

/** Results of the hours that begin within the range. */
export const listHours = (db: Db, monitorId: number, { from, to }: Range): Promise<HourRow[]> =>
  rows(
    db,
    sql`
      select hour, checks, ok, unobserved, latency_sum_ms, latency, statuses from monitor_hours
      where monitor_id = ${monitorId} and hour >= ${from} and hour < ${to} order by hour
    `,
  );

export interface IntervalRow {
  state: ObservedState;
  started_at: string;
  /** null: it continues. */
  ended_at: string | null;
  /** Until when there is evidence. */
  counted_until: string;
}

/** Intervals that overlap the range, oldest first; `limit` of the newest. */
export const listIntervals = (db: Db, monitorId: number, { from, to }: Range, limit: number): Promise<IntervalRow[]> =>
  rows(
    db,
    sql`
      select * from (
        select i.state, i.started_at, i.ended_at, i.id,
          least(coalesce(i.ended_at, m.observed_until, i.started_at), now()) as counted_until
        from monitor_intervals i join monitors m on m.id = i.monitor_id
        where i.monitor_id = ${monitorId} and i.started_at < ${to} and (i.ended_at is null or i.ended_at > ${from})
        order by i.started_at desc, i.id desc limit ${limit}
      ) newest
      order by started_at, id
    `,
  );
