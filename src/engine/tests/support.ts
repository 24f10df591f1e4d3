import type { Pool } from "pg";
import type { Db } from "../../db/sql.ts";
import { row, sql } from "../../db/sql.ts";
import { sh } from "../../host/sh.ts";
import { recordMarks } from "../reconcile/marks.ts";
import { readJournal } from "../runs/journal.ts";
import { fromTheStart, type Plan, plan, step } from "../runs/plan.ts";
import { findRun, insertRun, type Run } from "../runs/queries.ts";
import type { RunKind, RunKinds } from "../runs/runs.ts";
import { applyUpdate, parseUpdate } from "../runs/store.ts";

/** A server in its own organization, with what the engine needs. */
export async function createServer(pool: Pool): Promise<number> {
  const created = await row<{ id: number }>(
    pool,
    sql`
      with organization as (insert into organizations (name) values ('Harbour') returning id)
      insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
      select id, 'web', 'debian_12', 'ssh-ed25519 AAAA', ''::bytea from organization
      returning id
    `,
  );
  return (created as { id: number }).id;
}

/** Two steps of the platform around a step of the user's commands. */
export const somePlan: Plan = plan(
  "test",
  [
    step("fetch", "Fetch", sh`echo fetched`, { facts: { commit: "line", of: "number" } }),
    step("build", "Build", sh`echo built`, { audience: "client" }),
    step("activate", "Activate", sh`echo activated`, { facts: { of: "number" } }),
  ],
  { pointOfNoReturn: fromTheStart },
);

/** A run in progress of which nothing has been stored yet. */
export async function createRunningRun(pool: Pool, serverId: number, ofPlan = somePlan): Promise<Run> {
  const id = await insertRun(pool, { serverId, kind: "test", subject: "server", subjectId: 1, plan: ofPlan });
  await pool.query("update runs set state = 'running', started_at = clock_timestamp() where id = $1", [id]);
  return (await findRun(pool, id)) as Run;
}

/** Stores records of a run's journal, such as `step 0 1000`, as its follower does. */
export async function report(
  ctx: { pool: Pool; kinds: RunKinds },
  { id }: Pick<Run, "id">,
  ...records: readonly string[]
): Promise<void> {
  const run = (await findRun(ctx.pool, id)) as Run;
  const journal = Buffer.from(records.map((record) => `\n\x1e${run.nonce} ${record}\n`).join(""));
  const offset = run.journal_offset;
  const piece = { ...readJournal(journal, offset, run.nonce), offset };
  await applyUpdate(
    ctx,
    parseUpdate(run, piece, null, (bytes) => bytes),
  );
}

/** Records that steps of a run succeeded, in place of a journal. */
export async function completeSteps(db: Db, runId: number, isCompleted = (_key: string) => true): Promise<void> {
  const run = (await findRun(db, runId)) as Run;
  const completed = run.plan.steps.filter(({ key }) => isCompleted(key));
  await db.query(sql`
    update run_steps set status = 'completed', started_at = now()
    where run_id = ${runId} and key = any(${completed.map(({ key }) => key)})
  `);
  const marks = new Map(completed.flatMap(({ applies = [] }) => applies).map((each) => [each.kind, each]));
  await recordMarks(db, runId, [...marks.values()]);
}

/** A kind of run that records its callbacks. */
export function recordingKind(): RunKind & { reported: string[] } {
  const reported: string[] = [];
  return {
    kind: "test",
    subject: "server",
    reported,
    onProgress: async (_tx, progress) => {
      for (const { position, status } of progress.flatMap(({ piece }) => piece.steps))
        reported.push(`${position} ${status}`);
    },
    onEnded: async (_tx, run, outcome) => void reported.push(`${outcome}: ${run.error}`),
  };
}
