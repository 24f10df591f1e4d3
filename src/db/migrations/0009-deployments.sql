-- Deployments --------------------------------------------------------------------------------------------------------

create table deployments (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  project_id bigint not null,
  -- where it runs; differs from the project's server during a move
  server_id bigint not null references servers on delete cascade,
  run_id bigint references runs on delete set null,
  initiated_by bigint references users on delete set null,
  process_type text not null default 'deployment' check (process_type in ('deployment', 'rollback', 'recycle', 'move')),
  description text not null,

  -- Source
  git_branch text not null,
  -- asked for (rollback, rerun, push), or the one that was fetched
  commit_id text check (commit_id ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
  commit_url text,
  -- as the push reported them
  commit_author text,
  commit_message text,
  -- the release it makes live; for a rollback to a kept release, that of the earlier deployment
  release_id bigint,
  -- Set when it begins, by the project's zero_downtime at that moment: it replaces the one directory of a project that is
  -- deployed in place, so its release cannot be activated again.
  in_place boolean,

  -- 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled
  status smallint not null default 0 check (status between 0 and 5),
  -- the place in the server's queue: see take_turn
  turn bigint not null default 0,
  error text,
  -- what a deployment that succeeded leaves to look at
  warnings text[] not null default '{}',

  -- the deployment on the project's own server that this one continues on a further server
  rolling_of bigint references deployments on delete set null,
  -- The deployment that Longshore takes back by this rollback, because a monitor fell shortly after it. Unique: once only.
  takes_back bigint unique references deployments on delete set null,

  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((status in (1, 2, 5)) = (ended_at is not null)),
  check (status <> 0 or started_at is null),
  check (status not in (1, 3, 4) or started_at is not null),
  check (in_place is null or started_at is not null),
  constraint only_rollbacks_take_back check (takes_back is null or process_type = 'rollback'),
  -- Covers the references to each of the two, with one lookup for a new row.
  foreign key (project_id, organization_id) references projects (id, organization_id)
    on update cascade on delete cascade
);
create index deployments_of_project on deployments (project_id, id desc);
create index deployments_queued on deployments (server_id, turn, id) where status = 0;
create index deployments_waiting on deployments (project_id, server_id, id) where status = 0;
create index deployments_running on deployments (server_id) where status in (3, 4);
-- For each run that is deleted, of any kind.
create index deployments_of_run on deployments (run_id) where run_id is not null;
-- The server's clock: the highest turn that has begun.
create index deployments_begun on deployments (server_id, turn) where started_at is not null;
-- One deployment of a project runs on a server at a time, whatever the code does.
create unique index one_running_deployment on deployments (project_id, server_id) where status in (3, 4);
create index rolling_deployments on deployments (rolling_of) where rolling_of is not null;

alter table placements add constraint placements_live_deployment foreign key (live_deployment_id)
  references deployments on delete set null;

-- The order of a server's queue --------------------------------------------------------------------------------------

-- Projects take turns: the n-th waiting deployment of one competes with the n-th of the others. The turn is decided when a
-- deployment is queued, so that what is next is read from an index instead of being sorted out of thousands that wait.
-- It is after the project's own last turn, and not before the turn the server is at: a project that was idle for long gets no
-- credit for it.
-- Without enable_seqscan = off, a plan that was made while there were few deployments reads all of them for each new one: to
-- queue 2,000 after 1,000 others took 1.8 s, and takes 0.6 s.
create function take_turn() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  new.turn = greatest(
    (select turn + 1 from deployments where project_id = new.project_id and server_id = new.server_id
      order by id desc limit 1),
    (select max(turn) from deployments where server_id = new.server_id and started_at is not null),
    0);
  return new;
end
$$;

create trigger take_turn before insert on deployments for each row execute function take_turn();

-- States -------------------------------------------------------------------------------------------------------------

-- The arrows of the diagram in docs/deployments.md; a test compares them with it and with the code. What has ended stays as
-- it ended, and nothing succeeds that did not run.
create function guard_deployment_status() returns trigger language plpgsql as $$
begin
  if not (case old.status
    when 0 then new.status in (2, 3, 5)
    when 3 then new.status in (1, 2, 4)
    when 4 then new.status in (1, 2, 3, 5)
    else false
  end) then
    raise exception 'deployment % cannot go from status % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'deployments_status_transition', table = 'deployments';
  end if;
  return new;
end
$$;

create trigger guard_deployment_status before update of status on deployments
  for each row when (old.status is distinct from new.status) execute function guard_deployment_status();

-- Moves of projects from one server to another -----------------------------------------------------------------------

-- A row stays until nothing of the project is left where it is not: it outlives its deployment, its project and its servers,
-- whose deletion leaves work to do on the others.
create table moves (
  -- the deployment record that it carries out
  deployment_id bigint primary key,
  project_id bigint not null,
  source_id bigint references servers on delete set null,
  destination_id bigint references servers on delete set null,
  -- engine, name and username of each database that is moved, too
  databases jsonb not null,
  -- opens what is moved, and nothing else, of the source; deleted as soon as it is of no use
  private_key bytea,
  -- how it ended, while its servers are cleaned up
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled')),
  error text,
  -- runs that the clean-up ends
  run_ids bigint[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  check (outcome is null or private_key is null)
);
comment on column moves.private_key is 'encrypted';
create index moves_of_project on moves (project_id);
