-- Runs: one execution of a plan on a server (engine/runs) ------------------------------------------------------------

create table runs (
  id bigint generated always as identity primary key,
  -- null once the server was deleted
  server_id bigint references servers on delete set null,
  kind text not null,
  -- the record that the run works for: the name of its table in the singular, and its id
  subject text not null,
  subject_id bigint not null,
  -- Without steps when it is made as the run starts; then it does not change any more. It is written once, read a few times
  -- and never queried: it is stored as it was written, since compressing it took as long as everything else about a new run.
  plan json not null,
  -- whether the steps of the plan were dropped, as some time after the end of a run
  is_outlined boolean not null default false,
  -- random; begins every record line of the journal, so that no output can be mistaken for one
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
alter table runs alter column plan set storage external;
create index runs_of_subject on runs (subject_id, kind, id desc);
create index runs_of_server on runs (server_id, id);
create index runs_by_end on runs (ended_at);
create index runs_with_plans on runs (id) where ended_at is not null and not is_outlined;
-- Monitors of a server that reboots are not observed: looked for every few seconds, among all runs.
create index runs_of_reboots on runs (server_id, ended_at) where kind = 'reboot';

create table run_steps (
  run_id bigint not null references runs on delete cascade,
  position integer not null,
  key text not null,
  label text not null,
  phase text not null,
  status text not null default 'pending'
    check (status in ('pending', 'running', 'completed', 'failed', 'skipped', 'unreported')),
  exit_code integer,
  detail text,
  duration_ms bigint,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (run_id, position)
);

-- Output as read from the journal, masked; one row for each piece that was stored, identified by where it began.
create table run_output (
  run_id bigint not null references runs on delete cascade,
  journal_offset bigint not null,
  step_position integer,
  audience text not null check (audience in ('system', 'client')),
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, journal_offset)
);

-- Targets: a server follows its rows. One row for each thing on a server that is kept as the records say ---------------

create table targets (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  subject_id bigint not null,
  -- null: an outside service follows the record
  server_id bigint references servers on delete cascade,
  -- raised by each change of the records
  wanted_version bigint not null default 1,
  applied_version bigint not null default 0,
  -- the newest version that is not retried
  given_up_version bigint not null default 0,
  -- the run that applies `running_version`
  run_id bigint references runs on delete set null,
  running_version bigint,
  -- failed attempts since the last change or success
  attempts integer not null default 0,
  error text,
  retry_at timestamptz,
  -- when the oldest change that is not applied yet was made, or when the newest was applied
  since timestamptz not null default clock_timestamp(),
  -- the process that calls the outside service
  lease_token uuid,
  lease_until timestamptz,
  check ((lease_token is null) = (lease_until is null)),
  check (applied_version <= wanted_version and given_up_version <= wanted_version),
  check (run_id is null or running_version is not null)
);
-- One for each record and server, and one for an outside service, whose server_id is null.
create unique index targets_by_subject on targets (subject_id, kind, coalesce(server_id, 0));
create index targets_by_server on targets (server_id);
create unique index targets_by_run on targets (run_id) where run_id is not null;
create index targets_behind on targets (id) where applied_version < wanted_version;

-- Workflows: several runs and outside calls in order -----------------------------------------------------------------

create table workflows (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  subject_id bigint not null,
  organization_id bigint references organizations on delete set null,
  state text not null default 'running' check (state in ('running', 'undoing', 'succeeded', 'failed', 'cancelled')),
  -- where it is; null before it began and when all phases are through
  phase text,
  phase_started_at timestamptz,
  attempts integer not null default 0,
  data jsonb not null default '{}',
  run_id bigint references runs on delete set null,
  error text,
  -- whether it is still before its point of no return
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
create index workflows_by_subject on workflows (subject_id, kind, id desc);
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
