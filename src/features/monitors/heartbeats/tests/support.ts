import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { row, sql } from "../../../../db/sql.ts";
import { buildApp } from "../../../../http/app.ts";
import { authenticator } from "../../../accounts/authenticator.ts";
import { digestOf, newSecret } from "../../../accounts/tokens.ts";
import { deployed } from "../../../deployments/tests/support.ts";
import { insertJob } from "../../../jobs/queries.ts";
import type { JobKind } from "../../../jobs/schema.ts";
import { insertMonitor, type MonitorSettings } from "../../queries.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../tests/support.ts";
import { evaluateHeartbeat } from "../evaluation.ts";
import { intakeGapSeconds, mountPings } from "../pings.ts";
import { claimDueHeartbeats, type DueHeartbeat, recordIntake } from "../queries.ts";

export { openStage, type Stage };

/** The addresses for reports, as the platform serves them; closed with the stage's database. */
export async function servePings(stage: Stage): Promise<{ app: FastifyInstance; url: string; port: number }> {
  const app = buildApp(stage.ctx, [], authenticator(stage.ctx));
  mountPings(app, stage.ctx);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}`, port };
}

/** A project that is live on a server. */
export async function liveProject(stage: Stage): Promise<number> {
  const serverId = await addProvisioned(stage);
  const projectId = await addProject(stage.pool, serverId);
  await deployed(stage, projectId, serverId);
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [projectId]);
  return projectId;
}

export interface Heartbeat {
  id: number;
  jobId: number;
  token: string;
}

export interface HeartbeatOptions extends Partial<MonitorSettings> {
  kind?: JobKind;
  schedule?: string;
}

/** A heartbeat of a new job that is on its server. */
export async function addHeartbeat(
  stage: Stage,
  projectId: number,
  { kind = "scheduled", schedule = "* * * * *", ...settings }: HeartbeatOptions = {},
): Promise<Heartbeat> {
  const ofKind =
    kind === "scheduled" ? { cron_expression: schedule, processes: null } : { cron_expression: null, processes: 1 };
  const jobId = await insertJob(stage.pool, projectId, kind, {
    name: "Nightly",
    command: "true",
    is_active: true,
    ...ofKind,
  });
  await stage.pool.query("update project_jobs set status = 'active' where id = $1", [jobId]);
  const token = newSecret("");
  const id = await insertMonitor(
    stage.pool,
    {
      organizationId: stage.cast.organizationId,
      projectId,
      type: "heartbeat",
      target: kind,
      domainId: null,
      jobId,
      ping: { token: stage.ctx.secrets.encrypt(token), digest: digestOf(token) },
    },
    {
      name: "Nightly",
      isActive: true,
      threshold: 3,
      url: null,
      method: null,
      expectedStatus: null,
      intervalSeconds: null,
      timeoutSeconds: null,
      expectedPeriodSeconds: null,
      graceSeconds: null,
      ...settings,
    },
  );
  return { id, jobId, token };
}

export interface StoredHeartbeat {
  current_status: string;
  failures: number;
  last_ping_at: string | null;
  last_ping_kind: string | null;
  last_ping_exit_status: number | null;
  last_ping_duration_ms: number | null;
  last_ping_body: string | null;
  last_started_at: string | null;
  last_end_kind: string | null;
  due_at: string | null;
  observed_until: string | null;
}

export async function stored({ pool }: Pick<Stage, "pool">, id: number): Promise<StoredHeartbeat> {
  const found = await row<StoredHeartbeat>(pool, sql`select * from monitors where id = ${id}`);
  assert.ok(found);
  return found;
}

/** Lets time pass for a heartbeat: moves all of its stored times back. */
export const age = ({ pool }: Stage, id: number, seconds: number) =>
  pool.query(
    `update monitors set watched_since = watched_since - $2 * interval '1 second',
       counted_since = counted_since - $2 * interval '1 second',
       last_ping_at = last_ping_at - $2 * interval '1 second', last_end_at = last_end_at - $2 * interval '1 second',
       last_started_at = last_started_at - $2 * interval '1 second', due_at = due_at - $2 * interval '1 second'
     where id = $1`,
    [id, seconds],
  );

/** Makes every heartbeat due now. */
export const makeDue = ({ pool }: Stage, id: number) =>
  pool.query("update monitors set due_at = now() where id = $1", [id]);

/** Does what a worker does with due heartbeats, while reports are received. */
export async function evaluateDue(stage: Stage): Promise<DueHeartbeat[]> {
  await recordIntake(stage.pool, intakeGapSeconds);
  const due = await claimDueHeartbeats(stage.pool, 100, { leaseSeconds: 60, gapSeconds: intakeGapSeconds });
  for (const heartbeat of due) await evaluateHeartbeat(stage.ctx, heartbeat);
  return due;
}

export async function evaluate(stage: Stage, id: number): Promise<string> {
  await makeDue(stage, id);
  await evaluateDue(stage);
  return (await stored(stage, id)).current_status;
}
