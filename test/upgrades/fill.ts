import type { Context } from "../../src/context.ts";
import { checkKey } from "../../src/db/key-check.ts";
import { rows, type Sql, sql } from "../../src/db/sql.ts";
import { wakeDispatches } from "../../src/features/servers/dispatch.ts";
import { createCast } from "../../src/http/tests/support.ts";
import { World } from "../route-world.ts";

// Rows in every table, as an installation in use has them. A new table needs a statement in `others`, unless a maker of
// route-world.ts fills it.

/** The key of the secrets in kept databases. */
export const key = "a2VwdCB3aXRoIHRoZSBkYXRhYmFzZXMgb2YgdGVzdHM=";

/** Fills a migrated database. Throws with the names of the tables that are still empty. */
export async function fill(ctx: Context): Promise<void> {
  await checkKey(ctx.pool, ctx.secrets);
  await make(new World(ctx, await createCast(ctx.pool)));
  for (const statement of others(ctx)) await ctx.pool.query(statement);
  await wakeDispatches(ctx.pool, ctx.queue, [1]);
  const empty = await listEmptyTables(ctx);
  if (empty.length > 0) throw new Error(`Add rows to test/upgrades/fill.ts for: ${empty.join(", ")}.`);
}

async function make(world: World): Promise<void> {
  const projectId = await world.project();
  await world.balanced();
  await world.cacheServer();
  await world.sshAccess();
  await world.orderedServer();
  await world.snapshot("ready");
  await world.variable();
  await world.installedApp("wordpress", 1);
  await world.sourceProvider();
  await world.hookToken();
  await world.movable();
  await world.group();
  for (const status of [1, 2, 5] as const) await world.deployment({ status, projectId });
  await world.channel("email");
  await world.databaseImport();
  await world.foundDatabase("found");
  await world.databaseUser();
  for (const kind of ["scheduled", "background"] as const) await world.job(kind, projectId);
  await world.command({ hasEnded: true });
  await world.maintenanceWindow();
  await world.statusIncident();
  await world.certificate(projectId, "custom");
  await world.invitation("an invitation");
  await world.mailedLink("change_email");
  await world.signInLink();
  await world.device();
}

const user = sql`(select min(id) from users)`;
const organization = sql`(select min(id) from organizations)`;
const server = sql`(select min(id) from servers)`;
const project = sql`(select min(id) from projects)`;
const deployment = sql`(select min(id) from deployments)`;
const run = sql`(select min(id) from runs)`;
const monitor = sql`(select min(id) from monitors)`;
const cloud = sql`(select min(id) from server_providers)`;
const later = sql`now() + interval '100 years'`;
const uuid = "b5a7b2c4-6d0e-4a53-9a34-2f1f6a1f0c11";

const others = ({ secrets }: Pick<Context, "secrets">): Sql[] => [
  sql`insert into auth_secret (secret) values (${secrets.encrypt("signs cookies")})`,
  sql`insert into auth_accounts (user_id, provider_id, account_id, password) values (${user}, 'credential', '1', 'salt:hash')`,
  sql`insert into auth_passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${user}, 'laptop', 'a key', 'an id', 0, 'singleDevice', false)`,
  sql`insert into auth_sessions (user_id, token, expires_at) values (${user}, 'a session', ${later})`,
  sql`insert into auth_two_factors (user_id, secret, backup_codes) values (${user}, 'a secret', 'codes')`,
  sql`insert into auth_verifications (identifier, value, expires_at) values ('a challenge', 'value', ${later})`,
  sql`insert into sign_in_attempts (bucket, attempts, ends_at) values ('\\x01', 3, ${later})`,
  sql`insert into setup_code (digest, expires_at) values ('\\x02', ${later})`,
  sql`insert into address (url) values ('https://panel.example.com')`,
  sql`insert into user_preferences (user_id, preferences) values (${user}, '{"theme": "dark"}')`,
  sql`insert into invitation_mails (invitation_id, token)
    select min(id), ${secrets.encrypt("an invitation")} from invitations`,
  sql`insert into sent_invitations (organization_id, invited_by, email) values (${organization}, ${user}, 'new@example.com')`,
  sql`insert into rate_limits (user_id, bucket, window_started_at, granted, last_grant) values (${user}, 'api', now(), 5, 5)`,
  sql`insert into idempotency_keys (user_id, key, fingerprint, claim, claimed_until, answer)
    values (${user}, 'deploy-1', '\\x01', ${uuid}, ${later}, ${secrets.encrypt("{}")})`,
  sql`insert into audit_log (organization_id, user_id, user_email, action, summary, subjects, fields, request_id)
    values (${organization}, ${user}, 'alice@example.com', 'PUT /api/v1/servers/:id', 'Change a server', '{server/1}',
      '{name}', 'req-1')`,
  sql`insert into events (position, organization_id, server_id, name, data)
    values (1, ${organization}, ${server}, 'server.updated', '{"id": 1}')`,
  sql`insert into announcements (organization_id, topic, title, text, data)
    values (${organization}, 'deployment.failed', 'Deployment failed', 'It failed.', '{}')`,
  sql`insert into notification_deliveries (channel_id, announcement_id, status, ended_at)
    select c.id, a.id, 'delivered', now() from notification_channels c, announcements a`,

  sql`insert into cloud_call_limits (provider_id, bucket, calls) values (${cloud}, 'all', 2.5)`,
  sql`insert into cloud_catalogues (provider_id, part, location, body, read_at) values (${cloud}, 'prices', '', '[]', now())`,
  sql`insert into cloud_orphans (provider_id, kind, id, location) values (${cloud}, 'server', '77', 'here')`,
  sql`insert into server_pins (user_id, server_id, organization_id)
    select m.user_id, s.id, s.organization_id from memberships m join servers s using (organization_id) limit 1`,
  sql`insert into project_pins (user_id, project_id, organization_id)
    select m.user_id, p.id, p.organization_id from memberships m join projects p using (organization_id) limit 1`,
  sql`insert into dns_checks (server_id, organization_id, name, expected_ip, ok, addresses, chain, message)
    select id, organization_id, 'shop.example.com', '192.0.2.1', true, '{192.0.2.1}', '{}', 'It points here.' from servers limit 1`,
  sql`insert into attention_snoozes (user_id, organization_id, key, until)
    select user_id, organization_id, 'deployment_failed:1', ${later} from memberships limit 1`,
  sql`insert into departed_servers (name, host, port, host_key, ssh_public_key, ssh_private_key, run_ids)
    values ('gone', '2001:db8::99', 22, 'ssh-ed25519 AAAA', 'ssh-ed25519 AAAA', ${secrets.encrypt("a private key")}, '{}')`,

  sql`insert into installation_certificates (names, source, private_key, chain, not_before, not_after, renew_at)
    values ('{panel.example.com}', 'self', ${secrets.encrypt("a private key")}, 'PEM', now(), ${later}, now())`,
  sql`insert into installation_orders (certificate_id, directory, challenge, private_key)
    select id, 'https://acme.example.com', 'http-01', ${secrets.encrypt("a private key")} from installation_certificates`,
  sql`insert into installation_challenges (token, order_id, name, key_authorization)
    select 'a-token', id, 'panel.example.com', 'a-token.of-the-account' from installation_orders`,
  sql`insert into mcp_confirmations (id) values (${uuid})`,
  sql`insert into periodic_tasks (name) values ('delete-old-events')`,
  sql`insert into shards (name, shard) values ('monitors', 0)`,
  sql`insert into shard_members (name, owner) values ('monitors', ${uuid})`,
  sql`insert into run_steps (run_id, position, key, label, phase, status, exit_code)
    values (${run}, 0, 'build', 'Build', 'build', 'completed', 0)`,
  sql`insert into run_output (run_id, journal_offset, step_position, audience, text)
    values (${run}, 0, 0, 'client', 'It was built.')`,
  sql`insert into targets (kind, subject, subject_id, server_id, applied_version)
    values ('timezone', 'server', ${server}, ${server}, 1)`,
  sql`insert into workflows (kind, subject, subject_id, organization_id, state, ended_at)
    values ('certificate', 'project', ${project}, ${organization}, 'succeeded', now())`,
  sql`insert into workflow_phases (workflow_id, position, name, label, state)
    select min(id), 0, 'order', 'Order', 'completed' from workflows`,

  sql`insert into moves (deployment_id, project_id, source_id, destination_id, databases, outcome)
    values (${deployment}, ${project}, ${server}, ${server}, '[]', 'succeeded')`,
  sql`insert into held_deployments (deployment_id, project_id)
    select id, project_id from deployments where project_id is not null limit 1`,
  sql`insert into removals (project_id, server_id, run_ids, is_replica) values (77, ${server}, '{}', false)`,
  sql`insert into deploy_keys (project_id, server_id, public_key) values (${project}, ${server}, 'ssh-ed25519 AAAA')`,
  sql`insert into source_registrations (project_id, provider_id, repository, kind, subject, state, remote_id, is_settled)
    select ${project}, min(id), 'acme/shop', 'hook', 'push', 'registered', '7', true from source_providers`,
  sql`insert into hook_deliveries (project_id, identity) values (${project}, 'delivery-1')`,
  sql`insert into pushes (project_id, branch, after_commit) values (${project}, 'main', repeat('a', 40))`,
  sql`insert into process_watches (project_id, server_id, checked_at, counts, recent, last_restart_at)
    select project_id, server_id, now(), '{}', '[]', now() from placements limit 1`,

  sql`insert into auth_used_codes (user_id, digest, used_at) values (${user}, ${Buffer.from("a digest")}, now())`,
  sql`insert into forwardings (project_id, project_created_at, server_id, passes_on, until)
    values (${project}, now(), ${server}, true, ${later})`,
  sql`insert into site_changes (project_id, before, state, version) values (${project}, '{}', 'accepted', 1)`,
  sql`insert into certificate_orders (project_id, server_id, purpose, outcome, names, probe, has_leftovers, uploaded_key, ended_at)
    values (${project}, ${server}, 'custom', 'succeeded', '{shop.example.com}', 'probe', false, ${secrets.encrypt("key")}, now())`,
  sql`insert into acme_accounts (directory, private_key) values ('https://acme.example/dir', ${secrets.encrypt("an account")})`,
  sql`insert into acme_requests (directory, scope) values ('https://acme.example/dir', 'new-order')`,
  sql`insert into acme_pauses (directory, scope, until, reason) values ('https://acme.example/dir', 'new-order', ${later}, 'A limit.')`,

  sql`insert into monitor_events (monitor_id, status, message) values (${monitor}, 'up', 'It answers.')`,
  sql`insert into monitor_intervals (monitor_id, state, started_at) values (${monitor}, 'up', now())`,
  sql`insert into monitor_hours (monitor_id, hour, checks, ok, unobserved, latency_sum_ms, latency, statuses)
    values (${monitor}, date_trunc('hour', now()), 60, 59, 0, 700, array_fill(5, array[12]), array_fill(10, array[6]))`,
  sql`insert into heartbeat_gaps (started_at, ended_at) values (now() - interval '1 hour', now())`,
];

async function listEmptyTables({ pool }: Pick<Context, "pool">): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    pool,
    sql`select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => ({ name, count: (await pool.query(`select 1 from ${name} limit 1`)).rowCount })),
  );
  return counts.filter(({ count }) => count === 0).map(({ name }) => name);
}
