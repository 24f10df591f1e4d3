-- Times in which nothing that monitors see counts. A window is once (starts_at, ends_at) or recurs (cron expression and
-- duration). `active_from` and `active_until` are its current occurrence, or the next one; a recurring window whose occurrence has ended
-- gets the next one from a periodic task.
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
  unique nulls not distinct (window_id, monitor_id, server_id)
);
create index maintenance_window_targets_of_monitor on maintenance_window_targets (monitor_id);
create index maintenance_window_targets_of_server on maintenance_window_targets (server_id);
