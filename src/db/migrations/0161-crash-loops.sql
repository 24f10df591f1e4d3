-- Processes that systemd had to start again: Node processes of projects, and their background jobs. A row exists from the first restart
-- that a look at the server finds until there is nothing to remember.
create table process_watches (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- null: the project's own process
  job_id bigint references project_jobs on delete cascade,
  -- compare-and-set
  revision integer not null default 1,
  looked_at timestamptz not null,
  -- restarts of each unit at the last look, by its instance
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  -- [milliseconds since 1970, restarts] of the looks that found new ones
  recent jsonb not null check (jsonb_typeof(recent) = 'array'),
  -- when it was last seen to restart, or could not be looked at
  last_restart_at timestamptz not null,
  looping_since timestamptz,
  restarts integer,
  last_lines text[],
  check ((looping_since is null) = (restarts is null) and (looping_since is null) = (last_lines is null)),
  check (cardinality(last_lines) <= 20)
);
create unique index watch_of_process on process_watches (project_id, (coalesce(job_id, 0)));
create index watches_of_job on process_watches (job_id) where job_id is not null;
