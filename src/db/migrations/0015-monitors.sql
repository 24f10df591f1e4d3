-- What watches projects: HTTP checks of an address, and heartbeats of jobs that report in. An overview of these tables is in
-- src/features/monitors/schema.ts.

create table monitors (
  id bigint generated always as identity primary key,
  -- of the project: the foreign key passes a transfer on
  organization_id bigint not null,
  -- of the watched record, or that record itself
  project_id bigint not null,
  type text not null check (type in ('http', 'heartbeat')),
  target text not null check (target in ('project', 'domain', 'scheduled', 'background')),
  -- no foreign key: a domain whose deletion the web server refuses comes back with its id, and its monitors with it.
  -- Monitors of domains that are gone are in no list, and are deleted by a periodic task.
  domain_id bigint,
  job_id bigint references project_jobs on delete cascade,
  name text not null check (length(name) between 1 and 100),
  is_active boolean not null default true,
  -- counts changes of what is checked: a verdict on an earlier revision is dropped
  revision integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),

  -- HTTP checks
  url text check (length(url) between 1 and 2000),
  method text check (method in ('GET', 'HEAD', 'POST')),
  -- null: any 2xx
  expected_status smallint check (expected_status between 100 and 599),
  interval_seconds integer check (interval_seconds between 1 and 86400),
  timeout_seconds smallint check (timeout_seconds between 1 and 60),
  -- the certificate that was seen last, and for how many days before its end a notice was written last
  certificate_expires_at timestamptz,
  certificate_notice_days smallint check (certificate_notice_days in (21, 7, 1)),
  -- since when the address answers elsewhere and not here: the monitor stays up, and one event reports it
  disturbed_since timestamptz,

  -- Heartbeats
  -- null: derived from the job
  expected_period_seconds integer check (expected_period_seconds between 60 and 2592000),
  grace_seconds integer check (grace_seconds between 30 and 86400),
  ping_token bytea,
  ping_digest bytea unique check (octet_length(ping_digest) = 32),
  -- since when reports are expected: creation, activation, or the last time that none could be expected
  watched_since timestamptz not null default clock_timestamp(),
  -- the newest report
  last_ping_at timestamptz,
  last_ping_kind text check (last_ping_kind in ('success', 'start', 'fail')),
  last_ping_exit_status smallint check (last_ping_exit_status between 0 and 255),
  last_ping_duration_ms bigint check (last_ping_duration_ms >= 0),
  last_ping_body text check (length(last_ping_body) <= 10240),
  last_started_at timestamptz,
  -- the newest end of a run, apart from the newest report: a start does not show how the run before it ended
  last_end_at timestamptz,
  last_end_kind text check (last_end_kind in ('success', 'fail')),
  -- the run that ended last, in the sender's terms: a start of it that arrives later is an old one
  last_end_run text check (length(last_end_run) <= 64),
  -- when the next evaluation is due
  due_at timestamptz,
  failures integer not null default 0 check (failures >= 0),

  -- Both
  confirmation_threshold smallint not null default 3 check (confirmation_threshold between 1 and 10),
  current_status text not null default 'pending' check (current_status in ('pending', 'up', 'down')),
  last_checked_at timestamptz,
  last_status_changed_at timestamptz,
  -- until when the open interval is backed by what was seen; later than that it does not count
  observed_until timestamptz,
  flapping_since timestamptz,

  unique (id, organization_id),
  foreign key (project_id, organization_id) references projects (id, organization_id)
    on update cascade on delete cascade,
  check ((type = 'http') = (target in ('project', 'domain'))),
  check ((target = 'domain') = (domain_id is not null)),
  check ((type = 'heartbeat') = (job_id is not null)),
  check ((type = 'http') = (url is not null)),
  check ((type = 'http') = (method is not null)),
  check ((type = 'http') = (interval_seconds is not null)),
  check ((type = 'http') = (timeout_seconds is not null)),
  check (type = 'http' or (expected_status is null and certificate_expires_at is null and certificate_notice_days is null)),
  check ((type = 'heartbeat') = (ping_digest is not null)),
  check ((type = 'heartbeat') = (ping_token is not null)),
  check (type = 'heartbeat' or (expected_period_seconds is null and grace_seconds is null and last_ping_at is null)),
  check ((last_ping_kind is null) = (last_ping_at is null)),
  check ((current_status = 'pending') or (last_status_changed_at is not null)),
  check (is_active or current_status = 'pending'),
  check (flapping_since is null or current_status <> 'pending'),
  check (disturbed_since is null or type = 'http'),
  check ((last_end_at is null) = (last_end_kind is null)),
  check (type = 'heartbeat' or last_end_at is null)
) with (fillfactor = 80);
comment on column monitors.ping_token is 'encrypted';
create index monitors_of_organization on monitors (organization_id, (current_status <> 'down'), id);
create index monitors_of_project on monitors (project_id);
create index monitors_of_job on monitors (job_id) where job_id is not null;
-- A job reports to one address.
create unique index one_heartbeat_of_job on monitors (job_id) where job_id is not null;
create index heartbeats_due on monitors (due_at) where type = 'heartbeat' and is_active;
create index monitors_flapping on monitors (flapping_since) where flapping_since is not null;

-- One row for each change of current_status.
create table monitor_events (
  id bigint generated always as identity primary key,
  monitor_id bigint not null references monitors on delete cascade,
  status text not null check (status in ('up', 'down')),
  message text not null check (length(message) <= 1000),
  context jsonb not null default '{}',
  resolved_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (status = 'down' or resolved_at is null),
  check (resolved_at >= created_at)
);
create index monitor_events_of_monitor on monitor_events (monitor_id, id desc);
create unique index one_open_outage on monitor_events (monitor_id) where status = 'down' and resolved_at is null;

-- The state of a monitor over time; where there is no interval, it is not known. Uptime is computed from these.
create table monitor_intervals (
  id bigint generated always as identity primary key,
  monitor_id bigint not null references monitors on delete cascade,
  state text not null check (state in ('up', 'down', 'unobserved')),
  started_at timestamptz not null,
  -- null: still so
  ended_at timestamptz,
  check (ended_at >= started_at)
);
create index monitor_intervals_of_monitor on monitor_intervals (monitor_id, started_at);
create unique index one_open_interval on monitor_intervals (monitor_id) where ended_at is null;

-- Results of HTTP checks by the hour --------------------------------------------------------------------------------

-- `latency` counts by class (schema.ts: latencyClasses), `statuses` by the first digit of the answer's status, the first
-- element those without an answer.
create table monitor_hours (
  monitor_id bigint not null references monitors on delete cascade,
  hour timestamptz not null,
  checks integer not null check (checks >= 0),
  ok integer not null check (ok between 0 and checks),
  unobserved integer not null check (unobserved >= 0),
  -- of the answered checks
  latency_sum_ms bigint not null check (latency_sum_ms >= 0),
  latency integer[] not null check (cardinality(latency) = 12),
  statuses integer[] not null check (cardinality(statuses) = 6),
  primary key (monitor_id, hour)
) partition by range (hour);

create function add_counts(a integer[], b integer[]) returns integer[] language sql immutable as $$
  select array(select x + y from unnest(a, b) with ordinality as pair(x, y, n) order by n)
$$;

/* Makes the partition of the month in which `at` lies, and that of the next month. */
create function add_monitor_months(at timestamptz) returns void language plpgsql as $$
declare
  first_day date;
begin
  perform pg_advisory_xact_lock(7235080);
  for first_day in select date_trunc('month', at at time zone 'UTC')::date + make_interval(months => n) from generate_series(0, 1) n loop
    execute format(
      'create table if not exists %I partition of monitor_hours for values from (%L) to (%L)',
      'monitor_hours_' || to_char(first_day, 'YYYY_MM'),
      first_day::timestamp at time zone 'UTC', (first_day + interval '1 month') at time zone 'UTC');
  end loop;
end
$$;

/* Drops the partitions of months that ended before `before`. */
create function drop_monitor_months(before timestamptz) returns void language plpgsql as $$
declare
  month text;
begin
  perform pg_advisory_xact_lock(7235080);
  for month in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'monitor_hours'::regclass
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (before at time zone 'UTC')::date
  loop
    execute format('drop table %I', month);
  end loop;
end
$$;

-- A periodic task adds the later ones.
select add_monitor_months(clock_timestamp());

-- When heartbeats can be received -------------------------------------------------------------------------------------

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

-- Maintenance windows: times in which nothing that monitors see counts -----------------------------------------------

-- A window is once (starts_at, ends_at) or recurs (cron expression and duration). `active_from` and `active_until` are its
-- current occurrence, or the next one; a recurring window whose occurrence has ended gets the next one from a periodic task.
create table maintenance_windows (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  starts_at timestamptz,
  ends_at timestamptz,
  cron_expression text check (length(cron_expression) <= 200),
  timezone text,
  duration_seconds integer check (duration_seconds between 60 and 604800),
  -- all monitors of the organization; otherwise those of maintenance_window_targets
  is_for_all boolean not null,
  active_from timestamptz not null,
  active_until timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (ends_at > starts_at),
  check (active_until > active_from),
  check ((starts_at is null) = (ends_at is null)),
  check ((cron_expression is null) = (duration_seconds is null)),
  check ((cron_expression is null) = (timezone is null)),
  check ((starts_at is null) <> (cron_expression is null))
);
create index maintenance_windows_of_organization on maintenance_windows (organization_id, active_until);
create index maintenance_windows_recurring on maintenance_windows (active_until) where cron_expression is not null;

create table maintenance_window_targets (
  window_id bigint not null references maintenance_windows on delete cascade,
  monitor_id bigint references monitors on delete cascade,
  server_id bigint references servers on delete cascade,
  check ((monitor_id is null) <> (server_id is null)),
  unique (window_id, monitor_id),
  unique (window_id, server_id)
);
create index maintenance_window_targets_of_monitor on maintenance_window_targets (monitor_id);
create index maintenance_window_targets_of_server on maintenance_window_targets (server_id);
