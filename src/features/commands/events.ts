import type { PoolClient } from "pg";
import { type Event, emitEvent, emitEvents } from "../../engine/events.ts";
import { type CommandRow, statusOf } from "./schema.ts";

const eventOf = (name: string, command: CommandRow): Event => ({
  organizationId: command.organization_id,
  serverId: command.server_id,
  projectId: command.project_id,
  name,
  data: { id: command.id, project_id: command.project_id, status: statusOf(command) },
});

/** A command is new, or its status changed. */
export const emitCommand = (tx: PoolClient, command: CommandRow): Promise<void> =>
  emitEvent(tx, eventOf("command.updated", command));

export interface GrownLog {
  command: CommandRow;
  /** The offset for further reading; undefined if nothing was printed. */
  offset: number | undefined;
}

/** Commands began, or their logs grew. */
export const emitLogs = (tx: PoolClient, grown: readonly GrownLog[]): Promise<void> =>
  emitEvents(tx, grown.map(logEvent));

function logEvent({ command, offset }: GrownLog): Event {
  const event = eventOf("command.log", command);
  return offset === undefined ? event : { ...event, data: { ...event.data, offset } };
}
