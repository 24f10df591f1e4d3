import assert from "node:assert/strict";
import type { Pool } from "../../../db/pool.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { pollUntil } from "../../../lib/clock.ts";

/** A server of the organization, with a project on it. */
export async function addServer(pool: Pool, organizationId: number, name: string) {
  const server = await row<{ id: number }>(
    pool,
    sql`insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
      values (${organizationId}, ${name}, 'debian_12', 'ssh-ed25519 A', '\\x00') returning id`,
  );
  const project = await row<{ id: number }>(
    pool,
    sql`with project as (
        insert into projects (organization_id, server_id, name, framework_id, repository, repository_type, repository_branch)
        values (${organizationId}, ${server?.id}, ${`on ${name}`}, 10, 'https://git.example/x', 'git', 'main')
        returning id, server_id
      ), site as (
        insert into sites (project_id) select id from project
      )
      insert into placements (project_id, server_id, role) select id, server_id, 'own' from project
      returning project_id as id`,
  );
  return { serverId: server?.id ?? 0, projectId: project?.id ?? 0 };
}

/** Resolves when a connection waits for a lock that a transaction of the test holds. */
export async function untilBlocked(pool: Pool): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  assert.ok(
    await pollUntil(async () => (await rows(pool, waiting)).length > 0, { timeoutMs: 30_000 }),
    "no connection waits",
  );
}
