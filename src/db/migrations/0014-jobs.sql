-- Commands of a project that run beside its site: scheduled ones from the server's crontab, background ones under systemd ---

-- The server follows these rows; status and error are what it reported last.
create table project_jobs (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  kind text not null check (kind in ('scheduled', 'background')),
  name text not null check (length(name) between 1 and 100),
  command text not null check (length(command) between 1 and 10000),
  -- scheduled: five fields or a nickname such as @daily, in the server's time zone
  cron_expression text check (length(cron_expression) <= 200 and cron_expression !~ '[\r\n%]'),
  -- background: how many of it run beside each other
  processes integer check (processes between 1 and 32),
  is_active boolean not null default true,
  status text not null default 'pending' check (status in ('pending', 'active', 'inactive', 'failed')),
  error text,
  -- Where the job reports how its runs end: an address that holds a secret. A server that has it is recognized by the digest.
  heartbeat_url bytea,
  heartbeat_digest text check (length(heartbeat_digest) = 64),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((kind = 'scheduled') = (cron_expression is not null)),
  check ((kind = 'background') = (processes is not null)),
  check ((status = 'failed') = (error is not null)),
  check ((heartbeat_url is null) = (heartbeat_digest is null))
);
comment on column project_jobs.heartbeat_url is 'encrypted';
create index jobs_of_project on project_jobs (project_id, kind, id);

-- Single commands that people run in a project's live release. How one ends is in its run, and it is kept as long as that.
create table project_commands (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  run_id bigint not null unique references runs on delete cascade,
  initiated_by bigint references users on delete set null,
  command text not null check (length(command) between 1 and 10000),
  timeout_seconds integer not null check (timeout_seconds between 1 and 3600),
  created_at timestamptz not null default clock_timestamp()
);
create index commands_of_project on project_commands (project_id, id);

-- Processes that systemd had to start again: Node processes of projects, and their background jobs. A row exists from the first restart
-- that a check of the server finds until there is nothing to remember.
create table process_watches (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  server_id bigint not null,
  -- null: the project's own process
  job_id bigint references project_jobs on delete cascade,
  -- compare-and-set
  revision integer not null default 1,
  checked_at timestamptz not null,
  -- restarts of each unit at the last check, by its instance
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  -- [milliseconds since 1970, restarts] of the checks that found new ones
  recent jsonb not null check (jsonb_typeof(recent) = 'array'),
  -- when it was last seen to restart, or could not be checked
  last_restart_at timestamptz not null,
  looping_since timestamptz,
  restarts integer,
  last_lines text[],
  check ((looping_since is null) = (restarts is null) and (looping_since is null) = (last_lines is null)),
  check (cardinality(last_lines) <= 20),
  foreign key (project_id, server_id) references placements on delete cascade
);
create unique index watch_of_process on process_watches (project_id, server_id, (coalesce(job_id, 0)));
create index watches_of_job on process_watches (job_id) where job_id is not null;
