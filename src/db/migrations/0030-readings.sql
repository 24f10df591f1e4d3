-- What the minute's check of a server found, beside its record: it is written at each check.
create table server_readings (
  server_id bigint primary key references servers on delete cascade,
  -- when Longshore was last connected to it
  seen_at timestamptz not null,
  -- {load, memory, disk} as the server said at measured_at; null: it never said anything that could be read
  usage jsonb,
  measured_at timestamptz,
  check ((usage is null) = (measured_at is null))
) with (fillfactor = 50);

-- The last checks of an HTTP monitor, the newest at the end.
create table monitor_recent_checks (
  monitor_id bigint primary key references monitors on delete cascade,
  ok boolean[] not null,
  -- null: there was no answer
  ms integer[] not null,
  check (cardinality(ok) = cardinality(ms) and cardinality(ok) between 1 and 60)
) with (fillfactor = 50);

-- Environment variables: who changed which when, and what the live release has of them.
alter table projects
  -- by the name of a variable: {at, by}, of the last change of its value; none of what was set before this was recorded
  add column environment_changes jsonb not null default '{}' check (jsonb_typeof(environment_changes) = 'object');
alter table placements
  -- as the last deployment got it that began on the server, and as the one that is live did; null: it had none, or it is not known
  add column given_environment bytea,
  add column live_environment bytea;
comment on column placements.given_environment is 'encrypted';
comment on column placements.live_environment is 'encrypted';

-- Where nothing of the project has changed since the live deployment began, it has the present one.
update placements pl set given_environment = p.environment_variables, live_environment = p.environment_variables
from projects p, deployments d
where p.id = pl.project_id and d.id = pl.live_deployment_id and p.environment_variables is not null
  and p.updated_at < d.started_at;
