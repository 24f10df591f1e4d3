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
  report_url bytea,
  report_digest text check (length(report_digest) = 64),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((kind = 'scheduled') = (cron_expression is not null)),
  check ((kind = 'background') = (processes is not null)),
  check ((status = 'failed') = (error is not null)),
  check ((report_url is null) = (report_digest is null))
);
comment on column project_jobs.report_url is 'encrypted';
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
