import { randomBytes } from "node:crypto";
import pg from "pg";
import { openPool } from "../src/db/pool.ts";
import { adminToken, adminUser } from "../src/features/accounts/admin.ts";

/** The numbers of records; `scale` 1 is a hundredth of the full size. */
export const recordsAt = (scale: number) => ({
  servers: 100 * scale,
  projects: 1_000 * scale,
  deployments: 20_000 * scale,
});

export interface Tokens {
  /** Owns the organization that has all the records. */
  owner: string;
  /** A member who reaches ten of the servers and five projects elsewhere. */
  restricted: string;
  organizationId: number;
}

/**
 * Fills a migrated database. Ids run from 1, project n is on server n mod servers, deployment n of project n mod projects. One
 * organization owns all of it, so that no query gets faster because others own the rest.
 */
export async function fillDatabase(url: string, scale: number): Promise<Tokens> {
  const tokens = await createPeople(url);
  const { servers, projects, deployments } = recordsAt(scale);
  const fill = new pg.Client(url);
  await fill.connect();
  const organization = tokens.organizationId;
  const key = `'\\x${randomBytes(32).toString("hex")}'`;
  await fill.query(`
    insert into servers (organization_id, name, server_type, server_os, public_ip, operating_system, connection_status,
      server_status, ssh_public_key, ssh_private_key)
    select ${organization}, 'server-' || n, 0, 'debian_12', '10.0.0.0'::inet + n, 'Debian GNU/Linux 12 (bookworm)', 1, 10,
      'ssh-ed25519 AAAA', ${key} from generate_series(1, ${servers}) n`);
  await fill.query(`
    with project as (
      insert into projects (organization_id, server_id, name, framework_id, environment, repository_type, repository,
        repository_branch, installation_status)
      select ${organization}, 1 + n % ${servers}, 'project-' || n, 10, (array['production', 'staging', 'dev'])[1 + n % 3],
        'git', 'https://git.example.com/acme/project-' || n || '.git', 'main', 1 from generate_series(1, ${projects}) n
      returning id, server_id
    ), site as (
      insert into sites (project_id) select id from project
    )
    insert into placements (project_id, server_id, role, is_prepared) select id, server_id, 'own', true from project`);
  await fill.query(`
    insert into domains (project_id, domain_name, is_primary)
    select n, 'project-' || n || '.example.com', true from generate_series(1, ${projects}) n`);
  // One of a hundred is down.
  await fill.query(`
    insert into monitors (organization_id, project_id, type, target, name, url, method, interval_seconds, timeout_seconds,
      current_status, last_status_changed_at)
    select ${organization}, n, 'http', 'project', 'monitor-' || n, 'https://project-' || n || '.example.com/', 'GET', 60, 10,
      case n % 1000 when 0 then 'down' else 'up' end, now() from generate_series(10, ${projects}, 10) n`);
  await fill.end();
  await fillDeployments(url, { organization, servers, projects, deployments });
  return tokens;
}

interface Counts {
  organization: number;
  servers: number;
  projects: number;
  deployments: number;
}

/** Millions of rows: foreign keys are not checked, since the ids are known to exist. */
async function fillDeployments(url: string, { organization, servers, projects, deployments }: Counts): Promise<void> {
  const superuser = new pg.Client(url.replace("user=longshore", "user=postgres"));
  await superuser.connect();
  await superuser.query("set session_replication_role = replica; set synchronous_commit = off");
  await superuser.query(`
    insert into deployments (organization_id, project_id, server_id, process_type, git_branch, commit_id, description,
      status, started_at, ended_at)
    select ${organization}, 1 + n % ${projects}, 1 + (1 + n % ${projects}) % ${servers}, 'deployment', 'main',
      md5(n::text) || '01234567', 'Requested by hand', 1, now(), now() + interval '12 seconds'
    from generate_series(1, ${deployments}) n`);
  // The last deployment of each fiftieth project failed.
  await superuser.query(`
    update deployments set status = 2, error = 'The build failed.', is_unresolved = true
    where id > ${deployments - projects} and project_id % 50 = 0`);
  await superuser.query("vacuum analyze");
  await superuser.end();
}

async function createPeople(url: string): Promise<Tokens> {
  const pool = openPool(url);
  const person = (name: string, role: string) => ({
    email: `${name.toLowerCase()}@example.com`,
    name,
    organization: "Harbour",
    role,
  });
  const owner = await adminUser({ pool }, person("Olga", "Owner"));
  await adminUser({ pool }, person("Rita", "Member"));
  const organization = String(owner.organization_id);
  const tokens = {
    owner: await tokenOf(pool, "olga@example.com"),
    restricted: await tokenOf(pool, "rita@example.com"),
    organizationId: owner.organization_id,
  };
  // Ids that will be given out: the tables are empty.
  const reach = { servers: Array.from({ length: 10 }, (_, at) => at + 1), projects: [90, 91, 92, 93, 94] };
  await setReach(pool, organization, reach);
  await pool.end();
  return tokens;
}

const tokenOf = async (pool: pg.Pool, email: string): Promise<string> =>
  (await adminToken({ pool }, { email, name: "bench", permissions: "*" })).token;

/** Directly in the membership: the command would reject ids that do not exist yet. */
async function setReach(pool: pg.Pool, organization: string, reach: { servers: number[]; projects: number[] }) {
  await pool.query(
    `update memberships set restricted = true, server_ids = $1, project_ids = $2
      where organization_id = $3 and role = 'Member'`,
    [reach.servers, reach.projects, organization],
  );
}
