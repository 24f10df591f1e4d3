-- Reads that stay quick as data grows, and one definition of the states of projects.

-- What a project is shown as: of several states the first counts.
create type project_state as enum (
  'unreachable', 'deploying', 'waiting', 'crashing', 'in_maintenance', 'failed', 'not_installed', 'live'
);

-- The projects that are not simply live, with each reason: of an organization there are few, and each is found by an index.
create view project_states as
  select s.organization_id, p.id as project_id, 'unreachable'::project_state as state
  from servers s join projects p on p.server_id = s.id where s.connection_status = 0
  union all
  select organization_id, project_id, 'deploying' from deployments where status in (3, 4)
  union all
  select organization_id, project_id, 'waiting' from deployments where status = 0
  union all
  select p.organization_id, p.id, 'crashing' from process_watches w join projects p on p.id = w.project_id
  where w.looping_since is not null
  union all
  select p.organization_id, p.id, 'in_maintenance' from sites s join projects p on p.id = s.project_id where s.maintenance_mode
  union all
  select organization_id, project_id, 'failed' from deployments where is_unresolved and process_type <> 'move'
  union all
  select organization_id, id, case when installation_status = 2 then 'failed' when source_type = 'app' then 'deploying'
    else 'not_installed' end::project_state
  from projects where installation_status <> 1;

create or replace function state_of(noun text, record_id bigint) returns text language sql stable as $$
  select case noun
    when 'deployment' then (
      select (array['queued', 'success', 'failed', 'running', 'cancelling', 'cancelled'])[status + 1]
      from deployments where id = record_id)
    when 'server' then (
      select case when server_status = 0 then 'installing' when server_status = 1 then 'provisioning'
        when connection_status = 0 then 'unreachable' else 'ready' end
      from servers where id = record_id)
    when 'monitor' then (select current_status from monitors where id = record_id)
    when 'database' then (
      select (array['creating', 'ready', 'failed'])[status + 1] from databases where id = record_id)
    when 'job' then (select status from project_jobs where id = record_id)
    when 'certificate' then (
      select (array['pending', 'active', 'failed', 'expired'])[status + 1] from certificates where project_id = record_id)
    when 'project' then (
      select coalesce((select min(s.state) from project_states s where s.project_id = p.id), 'live')::text
      from projects p where p.id = record_id)
  end
$$;

-- Lists of projects -------------------------------------------------------------------------------------------------------

-- Those of a server, for restricted members and the filter by servers: as projects_listed.
create index projects_listed_of_server on projects (server_id, id)
  include (organization_id, project_group_id, environment, framework_id, source_type);
drop index projects_of_server;

-- Finds what few projects have without reading the texts of all; not without the extension, as in 0027.
do $$
begin
  create index project_search_by_text on project_search using gin (text gin_trgm_ops);
exception when undefined_object then
  raise notice 'Without the extension pg_trgm, the search of many projects is slow: %', sqlerrm;
end
$$;

-- Without its cost, PostgreSQL might compute the parts of thousands of names in place of using the indexes of 0032.
alter function parts_of_name(text) cost 1000;

-- Lists of deployments ----------------------------------------------------------------------------------------------------

-- One index for the filters by status, kind and initiator, alone and together: a list reads the newest of each combination that
-- matches. So also a rare one is found at once, and one without deployments reads nothing. The same by users.
create index deployments_by_kind on deployments (organization_id, status, process_type, initiator_type, id desc)
  include (project_id, server_id);
drop index deployments_by_status, deployments_by_process_type, deployments_by_initiator, deployments_by_user;
create index deployments_by_user on deployments (organization_id, initiated_by, status, process_type, id desc)
  include (project_id, server_id) where initiated_by is not null;

-- The audit log --------------------------------------------------------------------------------------------------------------

-- Its filters, also those that match little.
create index audit_log_by_user on audit_log (organization_id, user_id, id desc);
create index audit_log_by_action on audit_log (organization_id, action, id desc);
-- As deployments_by_time.
create index audit_log_by_block on audit_log (organization_id, (id >> 12), created_at);
