import type { Pool } from "../../../db/pool.ts";
import { row, sql } from "../../../db/sql.ts";

/** A server of the organization, with a project on it. */
export async function addServer(pool: Pool, organizationId: number, name: string) {
  const server = await row<{ id: number }>(
    pool,
    sql`insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
      values (${organizationId}, ${name}, 'debian_12', 'ssh-ed25519 A', '\\x00') returning id`,
  );
  const project = await row<{ id: number }>(
    pool,
    sql`insert into projects (organization_id, server_id, name, framework_id, repository, repository_type,
        repository_branch)
      values (${organizationId}, ${server?.id}, ${`on ${name}`}, 10, 'https://git.example/x', 'git', 'main') returning id`,
  );
  return { serverId: server?.id ?? 0, projectId: project?.id ?? 0 };
}
