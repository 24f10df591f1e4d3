import type { Pool } from "pg";
import { changed, type Db, row, rows, sql } from "../../db/sql.ts";
import { pipelined, readOnly } from "../../db/transaction.ts";

// The output of runs, as stored by storePieces: one row for each piece, by its offset in the journal.

/** The end of a step's output, up to about `length` characters. */
export async function lastOutputOf(db: Db, runId: number, position: number, length = 4_000): Promise<string> {
  const last = await rows<{ text: string }>(
    db,
    sql`
      select right(text, ${length}) as text from run_output
      where run_id = ${runId} and step_position = ${position} order by journal_offset desc limit 20
    `,
  );
  return last
    .reverse()
    .map((piece) => piece.text)
    .join("");
}

export const listOutput = (db: Db, runId: number): Promise<{ audience: "system" | "client"; text: string }[]> =>
  rows(db, sql`select audience, text from run_output where run_id = ${runId} order by journal_offset`);

/** Output of a run as it was stored; `journal_offset` is where it starts, and the offset to continue reading from. */
export interface StoredOutput {
  journal_offset: number;
  step: string | null;
  audience: "system" | "client";
  text: string;
  /** Lines that the run printed before it. */
  lines_before: number;
}

/**
 * Output from an offset on: at least one piece, and no more once `bytes` are reached. The database stores the lengths,
 * so that they are known without reading the output.
 */
export const listOutputFrom = (db: Db, runId: number, offset: number, bytes: number): Promise<StoredOutput[]> =>
  rows(
    db,
    sql`
      select o.journal_offset, s.key as step, o.audience, o.text, o.lines_before
      from (
        select *, sum(octet_length(text)) over (order by journal_offset) - octet_length(text) as before from (
          select * from run_output where run_id = ${runId} and journal_offset >= ${offset}
          order by journal_offset limit 2000) next
      ) o left join run_steps s on s.run_id = o.run_id and s.position = o.step_position
      where o.before < ${bytes}
      order by o.journal_offset
    `,
  );

/** Whether there is output from an offset on. */
export const hasOutputFrom = async (db: Db, runId: number, offset: number): Promise<boolean> =>
  (await row(db, sql`select 1 from run_output where run_id = ${runId} and journal_offset >= ${offset} limit 1`)) !==
  undefined;

/** How much a run has printed so far. */
export interface OutputSize {
  lines: number;
  bytes: number;
}

/** Of the runs that have printed something, by their ids. */
export async function measureOutput(db: Db, runIds: readonly number[]): Promise<ReadonlyMap<number, OutputSize>> {
  const sizes = await rows<OutputSize & { run_id: number }>(
    db,
    sql`
      select run_id, sum(lines)::int as lines, sum(octet_length(text))::bigint as bytes
      from run_output where run_id = any(${runIds}::bigint[]) group by run_id
    `,
  );
  return new Map(sizes.map(({ run_id, ...size }) => [run_id, size]));
}

/** Where the output of a step is in that of its run; lines are counted from 0. */
export interface StepLines {
  run_id: number;
  position: number;
  first: number;
  lines: number;
}

export const listStepLines = (db: Db, runIds: readonly number[]): Promise<StepLines[]> =>
  rows(
    db,
    sql`
      select run_id, step_position as position, min(lines_before)::int as first, sum(lines)::int as lines
      from run_output where run_id = any(${runIds}::bigint[]) and step_position is not null
      group by run_id, step_position
    `,
  );

/**
 * The offset of the piece in which a line begins, counted from 0; 0 when there is none. Of pieces that continue a long line it is
 * the first, or for a later line the last.
 */
export async function findOffsetOfLine(db: Db, runId: number, line: number): Promise<number> {
  const piece = await row<{ journal_offset: number }>(
    db,
    sql`
      select journal_offset from run_output where run_id = ${runId} and lines_before <= ${line}
      order by lines_before desc, case when lines_before = ${line} then journal_offset else -journal_offset end
      limit 1
    `,
  );
  return piece?.journal_offset ?? 0;
}

/**
 * The first line of the pieces that end with the one in which a line is, and have about so many bytes together; lines are counted
 * from 0.
 */
export async function findLineBefore(db: Db, runId: number, line: number, bytes: number): Promise<number> {
  const first = await row<{ line: number }>(
    db,
    sql`
      select min(lines_before)::int as line from (
        select lines_before, sum(octet_length(text)) over (order by journal_offset desc) - octet_length(text) as after
        from (
          select * from run_output where run_id = ${runId} and lines_before <= ${line}
          order by journal_offset desc limit 2000) last
      ) sized where after < ${bytes}
    `,
  );
  return first?.line ?? 0;
}

/** A line of a run's output; the text of a long one is cut. `line` is counted from 0. */
export interface FoundLine {
  line: number;
  step: string | null;
  text: string;
}

const longestFound = 1_000;

// The pieces are looked through first, since most have no such line.
const linesWith = (runId: number, text: string) => sql`
  run_output o
  cross join lateral unnest(string_to_array(o.text, E'\n')) with ordinality as l(text, number)
  where o.run_id = ${runId} and strpos(lower(o.text), lower(${text})) > 0 and strpos(lower(l.text), lower(${text})) > 0`;

/** The first lines from a line on that contain the text, in any case. */
export const findLines = (
  db: Db,
  runId: number,
  { text, from, limit }: { text: string; from: number; limit: number },
): Promise<FoundLine[]> =>
  rows(
    db,
    sql`
      select found.line, s.key as step, left(found.text, ${longestFound}) as text
      from (
        select o.lines_before + l.number::int - 1 as line, o.step_position, l.text
        from ${linesWith(runId, text)}
          and o.lines_before + o.lines >= ${from} and o.lines_before + l.number - 1 >= ${from}
        order by o.journal_offset, l.number limit ${limit}
      ) found left join run_steps s on s.run_id = ${runId} and s.position = found.step_position
      order by found.line
    `,
  );

/** How many lines contain the text, in any case; at most `most`, and undefined when it takes longer than `withinMs`. */
export async function countLines(
  pool: Pool,
  runId: number,
  text: string,
  { most, withinMs }: { most: number; withinMs: number },
): Promise<number | undefined> {
  const counting = async (tx: Db) => {
    const [, found] = await pipelined(
      tx.query(sql`select set_config('statement_timeout', ${String(withinMs)}, true)`),
      row<{ count: number }>(
        tx,
        sql`select count(*)::int as count from (select from ${linesWith(runId, text)} limit ${most}) found`,
      ),
    );
    return found?.count ?? 0;
  };
  try {
    return await readOnly(pool, counting);
  } catch (error) {
    if ((error as { code?: string }).code === "57014") return undefined;
    throw error;
  }
}

/** A piece of the output of several runs for one audience; `before` and `total` are in bytes. */
export interface ShownOutput {
  run_id: number;
  audience: "system" | "client";
  text: string;
  before: number;
  total: number;
}

/** The beginning and the end of the output of runs for each audience, one run after the other in the order of their ids. */
export const listOutputEnds = (
  db: Db,
  runIds: readonly number[],
  { first, last }: { first: number; last: number },
): Promise<ShownOutput[]> =>
  rows(
    db,
    sql`
      with sized as (
        select run_id, journal_offset, audience, octet_length(text) as bytes
        from run_output where run_id = any(${runIds}::bigint[])
      ), placed as (
        select *, (sum(bytes) over (partition by audience order by run_id, journal_offset))::bigint - bytes as before,
          (sum(bytes) over (partition by audience))::bigint as total
        from sized
      )
      select p.run_id, p.audience, o.text, p.before, p.total
      from placed p join run_output o on o.run_id = p.run_id and o.journal_offset = p.journal_offset
      where p.before < ${first} or p.total - p.before - p.bytes < ${last}
      order by p.run_id, p.journal_offset
    `,
  );

/**
 * Deletes the output of runs that ended more than `days` days ago; returns the number of deleted pieces, up to `limit`: a log
 * can be long, and a statement has to end in time.
 */
export const deleteOldOutput = (db: Db, days: number, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      delete from run_output where (run_id, journal_offset) in (
        select o.run_id, o.journal_offset from runs r join run_output o on o.run_id = r.id
        where r.ended_at < clock_timestamp() - make_interval(days => ${days})
        limit ${limit})
    `,
  );
