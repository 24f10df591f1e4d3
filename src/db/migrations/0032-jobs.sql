-- Commands of a project that run beside its site: scheduled ones from the server's crontab, background ones under systemd.
-- A server has what these rows say; status and error are what it said of it last.

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
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((kind = 'scheduled') = (cron_expression is not null)),
  check ((kind = 'background') = (processes is not null)),
  check ((status = 'failed') = (error is not null))
);
create index jobs_of_project on project_jobs (project_id, kind, id);
