import type { Pool } from "pg";
import { row, sql } from "../../db/sql.ts";
import { sh } from "../../host/sh.ts";
import { fromTheStart, type Plan, plan, step } from "../plan.ts";
import { findRun, insertRun, type Run } from "../queries.ts";
import type { RunKind } from "../runs.ts";

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
