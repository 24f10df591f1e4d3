import { row, sql } from "../../src/db/sql.ts";
import { addProvisioned } from "../../src/features/servers/tests/support.ts";
import type { Stage } from "./stage.ts";

/** Names as people give them: long ones, other letters, and from right to left. */
const names = [
  "Shop",
  "Äther und Söhne",
  "متجر الكتب",
  "Blog of the marketing department for the autumn campaign 2026",
];

/** Triggers check and index the names of each project, which takes milliseconds, and a statement is cancelled after 30 s. */
const atOnce = 500;

/** Projects of Acme on two connected servers that differ in everything that a list shows; the ids of the servers. */
export async function fillProjects(stage: Stage, count: number): Promise<[number, number]> {
  const servers = [await addProvisioned(stage, { name: "web-1" }), await addProvisioned(stage, { name: "web-2" })];
  const group = await row<{ id: number }>(
    stage.pool,
    sql`insert into project_groups (organization_id, name) values (${stage.cast.organizationId}, 'Campaigns') returning id`,
  );
  for (let first = 1; first <= count; first += atOnce) {
    const last = Math.min(first + atOnce - 1, count);
    await insertDeployments(stage, await insertProjects(stage, { servers, group: group?.id ?? null, first, last }));
  }
  return servers as [number, number];
}

interface Part {
  servers: number[];
  group: number | null;
  first: number;
  last: number;
}

/** Their ids. */
async function insertProjects({ pool, cast }: Stage, { servers, group, first, last }: Part): Promise<number[]> {
  const made = await pool.query<{ project_id: number }>(sql`
    with made as (
      insert into projects (organization_id, server_id, name, framework_id, environment, project_group_id, source_type,
        repository_type, repository, repository_branch, installation_status)
      select ${cast.organizationId}, (${servers}::bigint[])[1 + n % 2], (${names}::text[])[1 + n % 4] || ' ' || lpad(n::text, 5, '0'),
        1 + n % 10, (array['production', 'staging', null])[1 + n % 3], case when n % 11 = 0 then ${group}::bigint end,
        case when n % 9 = 0 then 'app' else 'git' end, case when n % 9 <> 0 then 'git' end,
        case when n % 9 <> 0 then 'https://git.example.com/acme/repo-' || n || '.git' end, case when n % 9 <> 0 then 'main' end, 1
      from generate_series(${first}::integer, ${last}::integer) n returning id, server_id
    ), site as (
      insert into sites (project_id) select id from made
    ), placed as (
      insert into placements (project_id, server_id, role) select id, server_id, 'own' from made
    )
    insert into domains (project_id, domain_name, is_primary) select id, 'www.p' || id || '.example.com', true from made
    returning project_id
  `);
  return made.rows.map(({ project_id }) => project_id);
}

async function insertDeployments({ pool }: Stage, projects: number[]): Promise<void> {
  await pool.query(sql`
    insert into deployments (organization_id, project_id, server_id, git_branch, description, status, commit_id, commit_message,
      started_at, ended_at, created_at)
    select organization_id, id, server_id, 'main', '', status, repeat('3fa92b10', 5), 'Show prices with and without VAT',
      case when status > 0 then now() - interval '1 hour' end,
      case when status in (1, 2) then now() - make_interval(mins => (id * 13 % 5000)::integer) end, now() - interval '4 days'
    from (select p.*, case when id % 30 = 7 then 2 else 1 end as status from projects p where id = any(${projects})) p
    where source_type = 'git' and (id % 30 = 7 or id % 20 < 2)
  `);
}
