import { type Db, raw, rows, sql } from "../db/sql.ts";
import { together } from "../db/transaction.ts";
import type { Subject, SubjectRef } from "./kind.ts";

/** The record that transactions lock before a record of each kind, where there is one. */
const ownerOf: Partial<Record<Subject, Subject>> = {
  certificate_order: "project",
  deployment: "project",
  server_order: "server",
};

/**
 * Locks the record that a run, target or workflow works for, before the run, target or workflow itself: a request that cancels
 * or deletes it has locked the record first. Before the record its server is kept from being deleted, which would change them
 * all. Statements that are sent together with this one find the locks taken.
 */
export async function lockRecord(
  tx: Db,
  { subject, subjectId }: SubjectRef,
  serverId: number | null = null,
): Promise<void> {
  const owner = ownerOf[subject];
  await together(
    // Its row is the record itself otherwise.
    serverId !== null &&
      subject !== "server" &&
      rows(tx, sql`select 1 from servers where id = ${serverId} for key share`),
    owner &&
      rows(
        tx,
        sql`select 1 from ${tableOf(owner)} where id = (
      select ${raw(`${owner}_id`)} from ${tableOf(subject)} where id = ${subjectId}) for no key update`,
      ),
    // A removal has no row of its own: it works for a project that may be gone.
    subject !== "removal" && rows(tx, sql`select 1 from ${tableOf(subject)} where id = ${subjectId} for no key update`),
  );
}

const tableOf = (subject: Subject) => raw(`${subject}s`);
