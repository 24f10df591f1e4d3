-- Accounts ---------------------------------------------------------------------------------------------------------

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  plan text not null default 'starter' check (plan in ('starter', 'pro', 'business')),
  created_at timestamptz not null default clock_timestamp()
);

create table users (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  name text not null check (length(name) between 1 and 100),
  -- scrypt, as lib/password.ts writes it; null until the user sets one
  password_digest text,
  current_organization_id bigint references organizations on delete set null,
  created_at timestamptz not null default clock_timestamp()
);

create table memberships (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  organization_id bigint not null references organizations on delete cascade,
  role text not null check (role in ('Owner', 'Admin', 'Member', 'Viewer')),
  -- restricted: the reach is the listed servers with their projects, plus the listed projects
  restricted boolean not null default false,
  server_ids bigint[] not null default '{}',
  project_ids bigint[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, organization_id)
);
create index memberships_of_organization on memberships (organization_id);

create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- null: the organization the user is currently in
  organization_id bigint references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  prefix text not null,
  digest bytea not null unique,
  permissions text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index tokens_of_user on tokens (user_id);

-- Servers ----------------------------------------------------------------------------------------------------------

create table servers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  server_type smallint not null default 0 check (server_type between 0 and 4),
  provider_type text not null default 'custom' check (provider_type in ('cloud_a', 'cloud_b', 'cloud_c', 'custom')),
  server_os text not null,
  environment text check (environment in ('production', 'staging', 'dev')),
  public_ip inet unique,
  private_ip inet,
  ssh_port integer not null default 22 check (ssh_port between 1 and 65535),
  nat_port integer default 22 check (nat_port between 1 and 65535),
  timezone text not null default 'UTC',
  operating_system text,
  connection_status smallint not null default 0 check (connection_status in (0, 1)),
  connection_error text,
  connection_checked_at timestamptz,
  server_status smallint not null default 0 check (server_status in (0, 1, 10)),
  notes text,
  queue_limit integer check (queue_limit > 0),
  monitoring_enabled boolean not null default true,
  database_engine text not null default 'none' check (database_engine in ('mariadb', 'postgresql', 'none')),
  -- the key pair that opens this server alone; the private half is encrypted (lib/secrets.ts)
  ssh_public_key text not null,
  ssh_private_key bytea not null,
  -- pinned at the first connection: `ssh-ed25519 AAAA…`
  host_key text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index servers_of_organization on servers (organization_id, id);

create table server_pins (
  user_id bigint not null references users on delete cascade,
  server_id bigint not null references servers on delete cascade,
  primary key (user_id, server_id)
);

-- Runs: one execution of a plan on a server (engine/runs) --------------------------------------------------------------

create table runs (
  id bigint generated always as identity primary key,
  -- null once the server was deleted
  server_id bigint references servers on delete set null,
  kind text not null,
  -- the record the run works for, such as a deployment's id; its kind tells which table
  subject_id bigint not null,
  plan jsonb not null,
  -- made at random; begins every record line of the journal, so that no output can be taken for one
  nonce text not null,
  state text not null default 'created'
    check (state in ('created', 'starting', 'running', 'succeeded', 'failed', 'cancelled', 'stalled')),
  -- how much of the server's journal is stored, in bytes; changes in the transaction that stores it
  journal_offset bigint not null default 0,
  cancel_requested_at timestamptz,
  error text,
  facts jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((state in ('succeeded', 'failed', 'cancelled', 'stalled')) = (ended_at is not null))
);
create index runs_of_subject on runs (kind, subject_id, id desc);
create index runs_of_server on runs (server_id, id);

create table run_steps (
  run_id bigint not null references runs on delete cascade,
  position integer not null,
  key text not null,
  label text not null,
  phase text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'failed', 'skipped', 'unreported')),
  exit_code integer,
  detail text,
  duration_ms bigint,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, position)
);

-- Output as read from the journal, masked; one row for each piece that was stored, keyed by where it began.
create table run_output (
  run_id bigint not null references runs on delete cascade,
  journal_offset bigint not null,
  step_position integer,
  audience text not null check (audience in ('system', 'client')),
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, journal_offset)
);

-- Projects -----------------------------------------------------------------------------------------------------------

create table frameworks (
  id smallint primary key,
  name text not null unique
);
insert into frameworks select n, 'fw_' || n from generate_series(1, 10) n;

create table project_groups (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) <= 2000),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index project_groups_of_organization on project_groups (organization_id, name);

create table projects (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  server_id bigint not null references servers on delete cascade,
  project_group_id bigint references project_groups on delete set null,
  name text not null check (length(name) between 1 and 100),
  framework_id smallint not null references frameworks,
  environment text check (environment in ('production', 'staging', 'dev')),
  source_type text not null default 'git' check (source_type in ('git', 'app')),
  app_slug text,
  app_version text,
  repository_type text check (repository_type in ('git_host_a', 'git_host_b', 'git_host_c', 'git')),
  repository text,
  repository_branch text,
  auto_deploy_is_active boolean not null default false,
  ssl_is_enabled boolean not null default false,
  installation_status smallint not null default 0 check (installation_status in (0, 1, 2)),
  -- the web-server site, user and folders exist on the server
  is_prepared boolean not null default false,
  redirect_status_code smallint not null default 301 check (redirect_status_code in (301, 302, 307, 308)),
  www_redirect smallint not null default 0 check (www_redirect in (0, 1, 2)),
  maintenance_mode boolean not null default false,
  zero_downtime boolean not null default true,
  -- Node projects: the even port of the pair; live_port is the one that serves
  port_pair integer check (port_pair >= 20000 and port_pair % 2 = 0 and port_pair < 65535),
  live_port integer check (live_port in (port_pair, port_pair + 1)),
  live_deployment_id bigint,
  -- name of the live release on disk: the id of the deployment that built it
  live_release_id bigint,
  custom_commands jsonb not null default '{}',
  environment_variables bytea,
  max_memory text,
  always_rebuild_frontend boolean not null default false,
  markdown_negotiation_enabled boolean not null default false,
  shared_directories text[] not null default '{}',
  shared_files text[] not null default '{}',
  notes text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((source_type = 'git') = (repository is not null)),
  unique (server_id, port_pair)
);
create index projects_of_organization on projects (organization_id, id);
create index projects_of_server on projects (server_id, id);
create index projects_of_group on projects (project_group_id);

create table domains (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- lowercase, IDNs as punycode; one owner in the whole installation
  domain_name text not null unique check (domain_name = lower(domain_name)),
  is_primary boolean not null default false,
  is_active boolean not null default true,
  redirect_to text,
  redirect_status_code smallint check (redirect_status_code in (301, 302, 307, 308)),
  created_at timestamptz not null default clock_timestamp()
);
create index domains_of_project on domains (project_id, id);
create unique index one_primary_domain on domains (project_id) where is_primary;

create table server_databases (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  project_id bigint references projects on delete set null,
  database_type text not null check (database_type in ('mariadb', 'postgresql')),
  database_name text not null,
  username text not null,
  password bytea not null,
  -- 0 being created, 1 exists, 2 could not be created
  status smallint not null default 0 check (status in (0, 1, 2)),
  -- false for the database that came with the server
  created_by_user boolean not null default true,
  notes text,
  created_at timestamptz not null default clock_timestamp(),
  unique (server_id, database_name)
);

-- Deployments ----------------------------------------------------------------------------------------------------------

create table deployments (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  project_id bigint not null references projects on delete cascade,
  -- where it runs; differs from the project's server during a move
  server_id bigint not null references servers on delete cascade,
  run_id bigint references runs on delete set null,
  initiated_by bigint references users on delete set null,
  process_type text not null default 'deployment' check (process_type in ('deployment', 'rollback', 'recycle', 'move')),
  git_branch text not null,
  -- asked for (rollback, rerun, push), or the one that was fetched
  commit_id text check (commit_id ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
  commit_url text,
  -- the release it makes live; for a rollback to a kept release, that of the earlier deployment
  release_id bigint,
  description text not null,
  -- 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled
  status smallint not null default 0 check (status between 0 and 5),
  error text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((status in (1, 2, 5)) = (ended_at is not null)),
  check (status <> 0 or started_at is null),
  check (status not in (1, 3, 4) or started_at is not null)
);
create index deployments_of_project on deployments (project_id, id desc);
create index deployments_queued on deployments (server_id, id) where status = 0;
create index deployments_running on deployments (server_id) where status in (3, 4);
-- One deployment of a project runs at a time: held here, whatever the code does.
create unique index one_running_deployment on deployments (project_id) where status in (3, 4);

alter table projects add constraint projects_live_deployment foreign key (live_deployment_id)
  references deployments on delete set null;

-- Clean-up that outlives its record: files and keys left on a server by something that was deleted ----------------------

create table clean_ups (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  what text not null,
  plan jsonb not null,
  done_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

-- Events: what the console and GET /api/v1/events hear; kept for a while so that a client can resume --------------------

create table events (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  server_id bigint,
  project_id bigint,
  name text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index events_of_organization on events (organization_id, id);
create index events_by_age on events (created_at);
