import { changed, type Db, sql } from "../db/sql.ts";

/** The channel on which the processes are notified of events. The payload is the event's id. */
export const eventsChannel = "longshore_events";

/** Something that happened to a record, sent to every actor that may read that record. */
export interface Event {
  organizationId: number;
  serverId?: number | null;
  projectId?: number | null;
  /** Past tense or `noun.updated`; the list is in docs/api-decisions.md. */
  name: string;
  data: Record<string, unknown>;
}

/** Records an event in the caller's transaction; listeners are notified at the commit. */
export const emitEvent = (tx: Db, event: Event): Promise<void> => emitEvents(tx, [event]);

/** Records several, in their order; listeners are notified once. */
export async function emitEvents(tx: Db, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  await changed(
    tx,
    sql`
      with recorded as (
        insert into events (organization_id, server_id, project_id, name, data)
        select * from unnest(
          ${events.map((event) => event.organizationId)}::bigint[], ${events.map((event) => event.serverId ?? null)}::bigint[],
          ${events.map((event) => event.projectId ?? null)}::bigint[], ${events.map((event) => event.name)}::text[],
          ${events.map((event) => JSON.stringify(event.data))}::jsonb[])
        returning id
      )
      select pg_notify(${eventsChannel}, max(id)::text) from recorded
    `,
  );
}
