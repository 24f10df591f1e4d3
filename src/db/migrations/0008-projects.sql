-- Projects -----------------------------------------------------------------------------------------------------------

create table project_groups (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text check (length(description) <= 2000),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (id, organization_id)
);
-- Lists of groups are ordered by name as people expect: capitals and accents decide last.
create index project_groups_of_organization on project_groups (organization_id, name collate "und-x-icu", id);

create table projects (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  server_id bigint not null references servers on delete cascade,
  project_group_id bigint,
  name text not null check (length(name) between 1 and 100),
  -- the frameworks are a table in the code (features/projects/frameworks.ts)
  framework_id smallint not null constraint projects_framework check (framework_id between 1 and 10),
  environment text check (environment in ('production', 'staging', 'dev')),
  notes text,

  -- Source
  source_type text not null default 'git' check (source_type in ('git', 'app')),
  app_slug text,
  app_version text,
  repository_type text check (repository_type in ('git_host_a', 'git_host_b', 'git_host_c', 'git')),
  repository text,
  repository_branch text,
  auto_deploy_is_active boolean not null default false,

  -- of the application on its own server: 0 not installed, 1 installed, 2 failed
  installation_status smallint not null default 0 check (installation_status in (0, 1, 2)),

  -- Disk on its servers
  -- how much the kept releases may take together
  kept_releases_mb integer not null default 5000 check (kept_releases_mb between 100 and 1000000),

  -- Build
  custom_commands jsonb not null default '{}',
  environment_variables bytea,
  -- what users chose for single variables: whether logs show the value; others follow from name and value
  environment_masking jsonb not null default '{}' check (jsonb_typeof(environment_masking) = 'object'),
  -- whether a deployment may lose files that the application has written into the live release, outside of shared paths
  discard_written_files boolean not null default false,
  max_memory text,
  always_rebuild_frontend boolean not null default false,
  shared_directories text[] not null default '{}',
  shared_files text[] not null default '{}',
  -- null: the one that composer.json asks for
  php_version text check (php_version ~ '^([0-9]+[.][0-9]+|default)$'),
  -- null: the one that the files of the repository ask for
  node_version text check (length(node_version) between 1 and 20),
  -- whether the caches of build tools are kept for the next build of a branch
  build_cache boolean not null default true,
  -- relative to the working directory; null: found among the framework's
  output_directory text check (length(output_directory) between 1 and 400),

  -- Going live
  zero_downtime boolean not null default true,
  health_path text not null default '/' check (health_path ~ '^/' and length(health_path) <= 500),
  -- null: anything below 500
  health_status integer[] check (cardinality(health_status) between 1 and 20),
  start_timeout_seconds integer not null default 60 check (start_timeout_seconds between 5 and 600),
  -- how long the old process of a Node project may take to finish its requests, before it gets a SIGTERM
  drain_timeout_seconds integer not null default 30 check (drain_timeout_seconds between 1 and 900),
  -- whether a fall of a monitor shortly after a switch rolls the project back
  rollback_on_down boolean not null default false,

  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((source_type = 'git') = (repository is not null)),
  unique (id, organization_id),
  -- A project moves to another organization with its server.
  foreign key (server_id, organization_id) references servers (id, organization_id)
    on update cascade on delete cascade,
  foreign key (project_group_id, organization_id) references project_groups (id, organization_id)
);
comment on column projects.environment_variables is 'encrypted';
create index projects_of_organization on projects (organization_id, id);
create index projects_of_server on projects (server_id, id);
create index projects_of_group on projects (project_group_id);

-- Projects stay when their group is deleted. "on delete set null (project_group_id)" would need PostgreSQL 15.
create function keep_projects_of_group() returns trigger language plpgsql as $$
begin
  update projects set project_group_id = null where project_group_id = old.id;
  return old;
end
$$;
create trigger project_groups_keep_projects before delete on project_groups
  for each row execute function keep_projects_of_group();
-- Of application projects, whose names the catalog requires to be unique in the organization.
create index projects_by_name on projects (organization_id, name);

-- How visitors reach a project: each project has one. Its names are in `domains`.
create table sites (
  project_id bigint primary key references projects on delete cascade,
  ssl_is_enabled boolean not null default false,
  hsts_is_enabled boolean not null default false,
  redirect_status_code smallint not null default 301 check (redirect_status_code in (301, 302, 307, 308)),
  www_redirect smallint not null default 0 check (www_redirect in (0, 1, 2)),
  maintenance_mode boolean not null default false,
  markdown_negotiation_enabled boolean not null default false,
  -- whether unknown addresses of a static project get its index page; null: as its deployments find
  spa_fallback boolean,
  -- the largest request body that the site takes
  max_upload_mb integer not null default 100 check (max_upload_mb between 1 and 10240),
  -- proxies in front of the site, whose X-Forwarded-For gives the visitor's address
  trusted_proxies text[] not null default '{}',
  basic_auth_user text,
  -- the hash of the password, as nginx reads it
  basic_auth_hash bytea,
  -- counts the passwords, so that a new one is published to the web server
  basic_auth_version integer not null default 0,
  -- the last edit by hand that was found on one of its web servers: {found_at, server_id, file, kept_as}
  web_server_drift jsonb,

  -- Load balancing: the server in front; null: visitors come to the project's own. Its nodes are the project's placements.
  load_balancer_id bigint references servers on delete set null,
  -- what the balancer has of the project: the fingerprint of the plan that published it; null: nothing is known
  balancer_site text,

  -- of what the API shows; it shows the later one of this and the project's
  updated_at timestamptz not null default clock_timestamp(),
  check ((basic_auth_user is null) = (basic_auth_hash is null))
);
comment on column sites.basic_auth_hash is 'encrypted';
create index balanced_sites on sites (load_balancer_id) where load_balancer_id is not null;
-- Deferred: the two rows refer to each other.
alter table projects add constraint projects_site foreign key (id) references sites deferrable initially deferred;

-- A project on a server, with what is true of it there. What people decide about the project is in the rows above.
create table placements (
  project_id bigint not null references projects on delete cascade,
  server_id bigint not null references servers on delete cascade,
  -- own: the project's server; replica: a further one behind its load balancer; arriving: the destination of a move, which a
  -- failed one clears; leaving: the project is removed from there as soon as nothing needs it
  role text not null check (role in ('own', 'replica', 'arriving', 'leaving')),
  -- the web-server site, user and folders exist on the server
  is_prepared boolean not null default false,
  -- What the server has of the steps that prepare a project (step key: fingerprint of its script). A deployment repeats what
  -- differs, so that settings written by the preparation (memory, the site) reach the server with it.
  prepared jsonb not null default '{}',
  -- whether the project may take over files of its number that have no mark: those from before there were marks
  may_adopt boolean not null default true,
  -- Node projects: the even port of the pair; live_port is the one that serves
  port_pair integer check (port_pair >= 20000 and port_pair % 2 = 0 and port_pair < 65535),
  live_port integer check (live_port in (port_pair, port_pair + 1)),
  -- the foreign key is in 0009, after deployments
  live_deployment_id bigint,
  -- name of the live release on disk: the id of the deployment that built it
  live_release_id bigint,
  -- the releases that are on the server; null: not reported yet
  kept_releases bigint[],
  -- as the last deployment measured it; null: none has
  releases_bytes bigint check (releases_bytes >= 0),
  caches_bytes bigint check (caches_bytes >= 0),
  disk_measured_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, server_id),
  unique (server_id, port_pair)
);
create unique index one_own_placement on placements (project_id) where role = 'own';
-- Of the reach of each request of a restricted member.
create index replicas_of_server on placements (server_id, project_id) where role = 'replica';
-- For each deployment that is deleted with its project.
create index placements_by_live_deployment on placements (live_deployment_id) where live_deployment_id is not null;
-- Deferred: the two rows refer to each other.
alter table projects add constraint projects_own_placement foreign key (id, server_id)
  references placements (project_id, server_id) deferrable initially deferred;

-- What is still to be taken off a server of a project that was deleted or is no longer served there.
create table removals (
  -- the row may be gone
  project_id bigint not null,
  server_id bigint not null references servers on delete cascade,
  -- runs of the project that were under way
  run_ids bigint[] not null,
  is_replica boolean not null,
  -- the project is identified by when it was made; null: not known, as before there were marks
  project_created_at timestamptz,
  may_adopt boolean not null default true,
  primary key (project_id, server_id)
);
create index removals_of_server on removals (server_id);

-- A server that a project was moved from forwards its visitors: the DNS may lead them there for a while. A row stays until the server
-- is cleared, also when its project or its server is deleted before.
create table forwardings (
  id bigint generated always as identity primary key,
  -- the row may be gone
  project_id bigint not null,
  -- identifies the project on the server
  project_created_at timestamptz not null,
  -- null once the server was deleted
  server_id bigint references servers on delete set null,
  -- false: visitors get a notice instead
  passes_on boolean not null,
  -- the certificate that stays on the server, with its names; null: none
  certificate jsonb,
  until timestamptz not null,
  unique (project_id, server_id)
);
create index forwardings_by_end on forwardings (until);
create index forwardings_of_server on forwardings (server_id);
