// The baseline for the API: only Fastify and pg, a route per query, and named statements, without users, permissions, limits,
// counts or log. Run as a separate process: `node api-bare.ts DATABASE_URL PORT`.
import Fastify from "fastify";
import { openPool } from "../src/db/pool.ts";

const [url = "", port = ""] = process.argv.slice(2);
const pool = openPool(url, { applicationName: "bare" });
const app = Fastify({ logger: false });

// The columns are those of the API (servers/queries.ts, projects/queries.ts, deployments/queries.ts), which a reader of its
// answers waits for; only what depends on the user is left out.
const serverColumns = `id, organization_id, name, server_type, environment, public_ip, private_ip, ssh_port, nat_port,
  timezone, operating_system, connection_status, connection_error, ssh_public_key, server_status, notes, queue_limit,
  monitoring_enabled, database_engine, distribution, setup_version, provider_type, delete_protection,
  round(monthly_price_net, 2)::text as monthly_price_net, round(monthly_price_gross, 2)::text as monthly_price_gross,
  price_currency,
  (select sp.id from server_providers sp where sp.id = s.provider_id and sp.organization_id = s.organization_id) as provider_id,
  (select count(*) from placements pl where pl.server_id = s.id and pl.role in ('own', 'replica'))::integer as projects_count,
  to_char(created_at, 'YYYY-MM-DD HH24:MI:SS') as created_at, to_char(updated_at, 'YYYY-MM-DD HH24:MI:SS') as updated_at`;

const projectColumns = `id, organization_id, pl.server_id, project_group_id, name, framework_id, environment, source_type,
  app_slug, app_version, repository_type, repository, repository_branch, auto_deploy_is_active, ssl_is_enabled,
  installation_status, redirect_status_code, www_redirect, maintenance_mode, zero_downtime, live_port, custom_commands,
  max_memory, always_rebuild_frontend, markdown_negotiation_enabled, shared_directories, shared_files, output_directory,
  health_path, health_status, start_timeout_seconds, spa_fallback, php_version, node_version, max_upload_mb, drain_timeout_seconds,
  build_cache, discard_written_files, kept_releases_mb,
  case when pl.disk_measured_at is not null then json_build_object('releases_bytes', pl.releases_bytes,
    'caches_bytes', pl.caches_bytes, 'measured_at', to_char(pl.disk_measured_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end as disk,
  hsts_is_enabled, rollback_on_down, trusted_proxies, basic_auth_user, web_server_drift, load_balancer_id, notes, p.created_at,
  greatest(p.updated_at, sites.updated_at) as updated_at,
  (select coalesce(json_agg(json_build_object('job_id', w.job_id, 'server_id', w.server_id, 'restarts', w.restarts,
    'last_lines', w.last_lines, 'since', to_char(w.looping_since, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by w.id), '[]')
  from process_watches w where w.project_id = p.id and w.looping_since is not null) as crash_loops,
  (select coalesce(json_agg(json_build_object('id', d.id, 'domain_name', d.domain_name, 'is_primary', d.is_primary,
    'is_active', d.is_active, 'redirect_to', d.redirect_to, 'redirect_status_code', d.redirect_status_code,
    'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by d.is_primary desc, d.id), '[]')
  from domains d where d.project_id = p.id) as domains`;

const projects = `projects p join sites on sites.project_id = p.id
  join placements pl on pl.project_id = p.id and pl.server_id = p.server_id`;

const deploymentColumns = `id, organization_id, project_id, server_id, initiated_by, process_type, git_branch, commit_id, commit_url,
  description, status, error, warnings, created_at, updated_at, started_at, ended_at,
  commit_author, commit_message, rolling_of,
  greatest(0, floor(date_part('epoch', coalesce(ended_at, now()) - started_at)))::integer as duration`;

interface Request {
  Params: { id: string };
  Querystring: { page?: string };
}

const organization = 1;

function list(path: string, text: string, perPage: number): void {
  app.get<Request>(path, async ({ query, params }) => {
    const offset = (Number(query.page ?? 1) - 1) * perPage;
    const values = [params.id ?? organization, perPage, offset];
    return { data: (await pool.query({ name: path, text: `${text} limit $2 offset $3`, values })).rows };
  });
}

function read(path: string, text: string): void {
  app.get<Request>(path, async ({ params }) => (await pool.query({ name: path, text, values: [params.id] })).rows[0]);
}

list("/api/v1/servers", `select ${serverColumns} from servers s where organization_id = $1 order by id`, 10);
read("/api/v1/servers/:id", `select ${serverColumns} from servers s where id = $1`);
list("/api/v1/projects", `select ${projectColumns} from ${projects} where organization_id = $1 order by id`, 10);
read("/api/v1/projects/:id", `select ${projectColumns} from ${projects} where id = $1`);
list(
  "/api/v1/projects/:id/deployments",
  `select ${deploymentColumns} from deployments where project_id = $1 order by id desc`,
  15,
);
read("/api/v1/deployments/:id", `select ${deploymentColumns} from deployments where id = $1`);

await app.listen({ host: "127.0.0.1", port: Number(port) });
process.send?.("ready");
