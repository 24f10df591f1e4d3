-- What heartbeats need besides the columns that 0080 has for them: the newest end of a run apart from the newest report,
-- since a start says nothing about how the run before it ended; and when reports could not be received at all.

alter table monitors
  -- since when reports are expected: creation, activation, or the last time that none could be expected
  add column watched_since timestamptz not null default clock_timestamp(),
  add column last_end_at timestamptz,
  add column last_end_kind text check (last_end_kind in ('success', 'fail')),
  -- the run that ended last, in the sender's terms: a start of it that arrives later is an old one
  add column last_end_run text check (length(last_end_run) <= 64),
  add check ((last_end_at is null) = (last_end_kind is null)),
  add check (type = 'heartbeat' or last_end_at is null);

-- One row: when a process that receives reports was last at work.
create table heartbeat_intake (
  is_only boolean primary key default true check (is_only),
  alive_at timestamptz not null
);
insert into heartbeat_intake (alive_at) values (clock_timestamp());

-- When no process received reports. One that was expected in such a time may have been sent.
create table heartbeat_gaps (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  check (ended_at > started_at)
);
create index heartbeat_gaps_by_end on heartbeat_gaps (ended_at);

-- A job reports to one address.
create unique index one_heartbeat_of_job on monitors (job_id) where job_id is not null;
