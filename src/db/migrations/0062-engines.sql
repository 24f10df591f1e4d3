-- A server follows its rows: one row for each thing on a server that is kept as the records say.
create table targets (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id bigint not null,
  server_id bigint not null references servers on delete cascade,
  -- Raised by each change of the records.
  wanted_version bigint not null default 1,
  applied_version bigint not null default 0,
  -- The newest version that is not retried.
  given_up_version bigint not null default 0,
  -- The run that applies `running_version`.
  run_id bigint references runs on delete set null,
  running_version bigint,
  -- Failed attempts since the last change or success.
  attempts integer not null default 0,
  error text,
  retry_at timestamptz,
  -- When the oldest change that is not applied yet was made, or when the newest was applied.
  since timestamptz not null default clock_timestamp(),
  unique (kind, subject_id, server_id),
  check (applied_version <= wanted_version and given_up_version <= wanted_version),
  check (run_id is null or running_version is not null)
);
create index targets_by_server on targets (server_id);
create unique index targets_by_run on targets (run_id) where run_id is not null;
create index targets_behind on targets (id) where applied_version < wanted_version;

-- Several runs and outside calls in order.
create table workflows (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id bigint not null,
  organization_id bigint references organizations on delete set null,
  state text not null default 'running' check (state in ('running', 'undoing', 'succeeded', 'failed', 'cancelled')),
  -- Where it is; null before it began and when all phases are through.
  phase text,
  phase_started_at timestamptz,
  attempts integer not null default 0,
  data jsonb not null default '{}',
  run_id bigint references runs on delete set null,
  error text,
  -- Whether it is still before its point of no return.
  is_undoable boolean not null default true,
  cancel_requested_at timestamptz,
  retry_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('running', 'undoing'))),
  check ((lease_token is null) = (lease_until is null))
);
create unique index workflows_one_running on workflows (kind, subject_id) where ended_at is null;
create index workflows_by_subject on workflows (kind, subject_id, id desc);
create unique index workflows_by_run on workflows (run_id) where run_id is not null;
create index workflows_active on workflows (id) where ended_at is null;

create table workflow_phases (
  workflow_id bigint not null references workflows on delete cascade,
  position integer not null,
  name text not null,
  label text not null,
  state text not null default 'pending'
    check (state in ('pending', 'running', 'completed', 'failed', 'skipped', 'undone')),
  detail text,
  attempts integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (workflow_id, position),
  unique (workflow_id, name)
);

-- Something is due: which process carries out a periodic task, and until when.
create table periodic_tasks (
  name text primary key,
  due_at timestamptz not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz,
  check ((lease_token is null) = (lease_until is null))
);

-- Work that is divided over the processes, and the processes that take part.
create table shards (
  name text not null,
  shard integer not null,
  owner uuid,
  lease_until timestamptz,
  primary key (name, shard),
  check ((owner is null) = (lease_until is null))
);
create table shard_members (
  name text not null,
  owner uuid not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (name, owner)
);
