import type { WithQueue } from "../../../context.ts";
import type { Db } from "../../../db/sql.ts";
import { timestamp } from "../../../lib/timestamp.ts";
import { announce } from "../../notifications/actions.ts";
import type { Topic } from "../../notifications/schema.ts";
import type { Verdict } from "../schema.ts";
import type { CalmMonitor, ChangedMonitor, Switch } from "./queries.ts";
import type { Rollback } from "./rollback.ts";

export interface NoticedChange {
  status: Verdict;
  at: Date;
  since: Date;
  message: string;
  context: Record<string, unknown>;
  eventId: number;
  suspect: Switch | undefined;
  rollback: Rollback | undefined;
}

/** Down, or up again. */
export const announceChange = (tx: Db, ctx: WithQueue, monitor: ChangedMonitor, change: NoticedChange): Promise<void> =>
  sendNotice(tx, ctx, monitor, {
    topic: change.status === "down" ? "monitor.down" : "monitor.up",
    title: change.status === "down" ? `${monitor.name} is down` : `${monitor.name} is up again`,
    lines: [change.message, targetLine(monitor), ...suspectLines(change)],
    data: dataOf(change),
  });

/** One notice that replaces those of all changes until the monitor is calm. */
export const announceFlapping = (
  tx: Db,
  ctx: WithQueue,
  monitor: ChangedMonitor,
  change: NoticedChange & { changes: number },
): Promise<void> =>
  sendNotice(tx, ctx, monitor, {
    topic: "monitor.down",
    title: `${monitor.name} is flapping`,
    lines: [
      `It changed ${change.changes} times within 30 minutes and is ${change.status} now: ${change.message}`,
      targetLine(monitor),
      "The next notice comes when it has not changed for 30 minutes.",
    ],
    data: { ...dataOf(change), is_flapping: true },
  });

export const announceCalm = (tx: Db, ctx: WithQueue, monitor: CalmMonitor): Promise<void> =>
  sendNotice(tx, ctx, monitor, {
    topic: monitor.current_status === "down" ? "monitor.down" : "monitor.up",
    title: `${monitor.name} is ${monitor.current_status} and no longer flapping`,
    lines: [`It has been ${monitor.current_status} since ${monitor.last_status_changed_at}.`, targetLine(monitor)],
    data: { status: monitor.current_status, is_flapping: false },
  });

interface Notice {
  topic: Topic;
  title: string;
  lines: readonly string[];
  data: Record<string, unknown>;
}

/** Sends a notice about a monitor to its organization's channels and to its own. */
export const sendNotice = (
  tx: Db,
  ctx: WithQueue,
  monitor: Pick<ChangedMonitor, "id" | "organization_id" | "project_id" | "project_name" | "name">,
  { topic, title, lines, data }: Notice,
): Promise<void> =>
  announce(tx, ctx, {
    organizationId: monitor.organization_id,
    topic,
    title,
    text: lines.join("\n"),
    data: {
      monitor_id: monitor.id,
      monitor_name: monitor.name,
      project_id: monitor.project_id,
      project_name: monitor.project_name,
      ...data,
    },
  });

const targetLine = ({ project_name, url }: ChangedMonitor): string =>
  url === null ? `Project: ${project_name}.` : `Project: ${project_name}. Address: ${url}`;

// Readers of a notice need not have the server in their reach that gave the second opinion.
function dataOf({ status, at, since, message, context, eventId, suspect }: NoticedChange) {
  const { second_opinion: _, ...shown } = context;
  return {
    event_id: eventId,
    status,
    message,
    context: shown,
    since: timestamp(since),
    at: timestamp(at),
    ...(suspect?.commit_url && { links: [{ label: "Show the commit", url: suspect.commit_url }] }),
  };
}

/** The suspect deployment, and how to roll back. */
function suspectLines({ suspect, rollback }: NoticedChange): string[] {
  if (!suspect) return [];
  const { id, process_type, commit_id, description, switched_at } = suspect;
  const commit = commit_id === null ? "" : ` of commit ${commit_id.slice(0, 7)}`;
  const what = process_type === "rollback" ? "Rollback" : process_type === "recycle" ? "Recycling" : "Deployment";
  const blamed = `${what} ${id}${commit} became live at ${switched_at}, shortly before: ${description}`;
  const byHand =
    "To go back, choose one of the project's rollback candidates (POST /api/v1/deployments/{id}/rollback).";
  if (!rollback) return [blamed, byHand];
  const { deployment_id: ownId, target_id: target, refusal } = rollback;
  if (refusal !== undefined) return [blamed, `It was not rolled back automatically: ${refusal}`, byHand];
  const automatic = `Longshore rolls back to deployment ${target} by itself (deployment ${ownId}), as the project's settings ask for.`;
  return [blamed, automatic];
}
