-- The last deployment of each project ---------------------------------------------------------------------------------

-- Projects are sorted by when it was, and their lists show it.

alter table projects
  -- the newest deployment, of any kind and on any of its servers; no foreign key, as both are deleted together
  add column last_deployment_id bigint,
  -- when it ended, or was requested while it has not
  add column last_deployed_at timestamptz,
  add check ((last_deployment_id is null) = (last_deployed_at is null));

update projects p set last_deployment_id = last.id, last_deployed_at = last.at
from (
  select p.id as project_id, d.id, d.at from projects p cross join lateral (
    select id, coalesce(ended_at, created_at) as at from deployments where project_id = p.id order by id desc limit 1) d
) last
where p.id = last.project_id;

create index projects_by_last_deployment on projects (organization_id, last_deployed_at, id);

-- A trigger, so that it is also true of what the version before inserts and ends while it still runs. Code that inserts
-- deployments of several projects, or ends one, locks the projects first, by their ids.
create function record_last_deployment() returns trigger language plpgsql as $$
begin
  update projects set last_deployment_id = new.id, last_deployed_at = coalesce(new.ended_at, new.created_at)
  where id = new.project_id and coalesce(last_deployment_id, 0) <= new.id;
  return null;
end
$$;

create trigger record_last_deployment after insert on deployments
  for each row execute function record_last_deployment();

create trigger record_end_of_last_deployment after update of ended_at on deployments
  for each row when (old.ended_at is distinct from new.ended_at) execute function record_last_deployment();

-- The deployments of an organization ----------------------------------------------------------------------------------

-- They are read page by page, the newest first, whatever they are filtered by: an index for each filter has them in this order, so
-- that also one that matches nothing reads nothing.

alter table deployments
  -- what began it: a user (initiated_by, null once the account is gone), a push, or the fall of a monitor
  add column initiator_type text not null default 'user' check (initiator_type in ('user', 'push', 'monitor')),
  -- a request may name the first characters of a commit's id; the complete one is known when it was fetched
  drop constraint deployments_commit_id_check,
  add constraint deployments_commit_id_check check (commit_id ~ '^[0-9a-f]{4,64}$');

update deployments set initiator_type = case when takes_back is null then 'push' else 'monitor' end
where initiated_by is null and (takes_back is not null or description like 'Push%');
update deployments d set initiator_type = root.initiator_type from deployments root
where root.id = d.rolling_of and root.initiator_type <> d.initiator_type;

create index deployments_of_organization on deployments (organization_id, id desc);
create index deployments_by_status on deployments (organization_id, status, id desc);
create index deployments_by_process_type on deployments (organization_id, process_type, id desc);
create index deployments_by_user on deployments (organization_id, initiated_by, id desc) where initiated_by is not null;
create index deployments_by_initiator on deployments (organization_id, initiator_type, id desc) where initiator_type <> 'user';
create index deployments_of_server on deployments (server_id, id desc);
-- Times follow the ids nearly, but not exactly: the first and the last block of 4,096 ids that have one of a period bound its ids.
create index deployments_by_time on deployments (organization_id, (id >> 12), created_at);
-- What was live before a deployment, and whether a commit was.
create index deployments_succeeded on deployments (project_id, id desc)
  include (commit_id, process_type, rolling_of) where status = 1;

-- Text is found in any part of words, which needs an extension that the packages of PostgreSQL have. Without it the search of a long
-- history is slow. Only of what has ended: what is queued or runs is found by its status, and changes often.
do $$
begin
  create extension if not exists pg_trgm;
  create index deployments_by_text on deployments using gin ((
    lower(coalesce(commit_message, '') || E'\n' || coalesce(commit_id, '') || E'\n' || git_branch || E'\n'
      || coalesce(commit_author, '') || E'\n' || description)
  ) gin_trgm_ops) where ended_at is not null;
exception when feature_not_supported or undefined_file or insufficient_privilege or undefined_object then
  raise notice 'Without the extension pg_trgm, the search of deployments is slow: %', sqlerrm;
end
$$;
