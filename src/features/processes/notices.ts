import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { emitEvent } from "../../engine/events.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { announce } from "../notifications/actions.ts";
import type { Loop, SubjectRow, Watch } from "./queries.ts";
import { calmMs, loopWindowMs } from "./verdicts.ts";

const minutes = (ms: number): string => `${ms / 60_000} minutes`;

/** A crash loop began. */
export async function announceLoop(
  tx: PoolClient,
  ctx: WithQueue,
  { subject }: Watch,
  { restarts, lastLines, since }: Loop & { since: Date },
): Promise<void> {
  await emit(tx, subject, true);
  const lines =
    lastLines.length === 0
      ? ["It printed nothing, or that could not be read."]
      : ["The last lines that it printed:", ...lastLines];
  await announce(tx, ctx, {
    organizationId: subject.organization_id,
    topic: "process.crash_loop",
    title: `${nameOf(subject)} keeps crashing`,
    text: [
      `It was started again ${restarts} times within ${minutes(loopWindowMs)} on ${subject.server_name}.`,
      `The next notice comes when it has run for ${minutes(calmMs)}.`,
      ...lines,
    ].join("\n"),
    data: { ...dataOf(subject), since: timestamp(since), restarts, last_lines: lastLines },
  });
}

/** A crash loop ended. */
export async function announceRecovery(tx: PoolClient, ctx: WithQueue, watch: Watch, at: Date): Promise<void> {
  const { subject, loopingSince } = watch;
  await emit(tx, subject, false);
  await announce(tx, ctx, {
    organizationId: subject.organization_id,
    topic: "process.recovered",
    title: `${nameOf(subject)} has recovered`,
    text: `It was not started again for ${minutes(calmMs)} on ${subject.server_name}. It had been crashing since ${loopingSince}.`,
    data: { ...dataOf(subject), since: loopingSince, ended_at: timestamp(at) },
  });
}

const nameOf = ({ project_name, job_name }: SubjectRow): string =>
  job_name === null ? `The process of ${project_name}` : `The background job ${job_name} of ${project_name}`;

const dataOf = ({ project_id, project_name, job_id, job_name, server_id, server_name }: SubjectRow) => ({
  project_id,
  project_name,
  job_id,
  job_name,
  server_id,
  server_name,
});

const emit = (tx: PoolClient, subject: SubjectRow, isLooping: boolean): Promise<void> =>
  emitEvent(tx, {
    organizationId: subject.organization_id,
    serverId: subject.server_id,
    projectId: subject.project_id,
    name: isLooping ? "project.crash_loop_began" : "project.crash_loop_ended",
    data: { id: subject.project_id, job_id: subject.job_id },
  });
