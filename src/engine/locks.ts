import { type Db, raw, rows, sql } from "../db/sql.ts";
import { pipelined } from "../db/transaction.ts";
import type { Subject, SubjectRef } from "./kind.ts";

/** The record that transactions lock before a record of each kind, where there is one. */
const ownerOf: Partial<Record<Subject, Subject>> = {
  certificate_order: "project",
  deployment: "project",
  server_order: "server",
};

/**
 * Locks the record that a run, target or workflow works for, before the run, target or workflow itself: a request that cancels
 * or deletes it has locked the record first. Before the record it keeps `serverId` from being deleted, which would change the run
 * and the target too. Statements that are sent together with this one find the locks taken.
 */
export async function lockRecord(
  tx: Db,
  { subject, subjectId: id }: SubjectRef,
  serverId: number | null = null,
): Promise<void> {
  const owner = ownerOf[subject];
  const lockServer = sql`select 1 from servers where id = ${serverId} for key share`;
  const lockOwner = sql`
    select 1 from ${raw(`${owner}s`)} o where o.id = (select r.${raw(`${owner}_id`)} from ${raw(`${subject}s`)} r where r.id = ${id})
    for no key update`;
  const lock = sql`select 1 from ${raw(`${subject}s`)} where id = ${id} for no key update`;
  await pipelined(
    serverId !== null && subject !== "server" && rows(tx, lockServer),
    owner && rows(tx, lockOwner),
    // A removal works for a project that may be gone.
    subject !== "removal" && rows(tx, lock),
  );
}
