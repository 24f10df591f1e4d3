import { type Db, sql } from "../db/sql.ts";

/** The channel on which the processes hear of events. The payload is the event's id. */
export const eventsChannel = "longshore_events";

/** Something that happened to a record, told to whoever may read that record. */
export interface Event {
  organizationId: number;
  serverId?: number | null;
  projectId?: number | null;
  /** Past tense or `noun.updated`; the list is in docs/api-decisions.md. */
  name: string;
  data: Record<string, unknown>;
}

/** Records an event in the caller's transaction; listeners hear of it at the commit. */
export async function emitEvent(tx: Db, event: Event): Promise<void> {
  const { organizationId, serverId = null, projectId = null, name, data } = event;
  await tx.query(
    sql`
      with event as (
        insert into events (organization_id, server_id, project_id, name, data)
        values (${organizationId}, ${serverId}, ${projectId}, ${name}, ${JSON.stringify(data)})
        returning id
      )
      select pg_notify(${eventsChannel}, id::text) from event
    `,
  );
}
