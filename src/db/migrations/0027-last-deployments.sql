-- The last deployment of each project: projects are sorted by when it was, and their lists show it.

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
