-- What needs attention, what runs, and names by their parts ------------------------------------------------------------

-- Failed, and no later deployment of the project on that server succeeded or failed: what remains of a long history.
alter table deployments add column is_unresolved boolean not null default false;

update deployments d set is_unresolved = true
from (
  select distinct on (project_id, server_id) id, status from deployments
  where status in (1, 2) order by project_id, server_id, id desc
) newest
where newest.id = d.id and newest.status = 2;

create index deployments_unresolved on deployments (organization_id, id desc) where is_unresolved;
create index deployments_unresolved_of_project on deployments (project_id) where is_unresolved;
create index deployments_open on deployments (organization_id, id) where status in (0, 3, 4);
create index deployments_by_request on deployments (organization_id, created_at);

-- A trigger, so that it is also true of what the version before ends while it still runs. A move is resolved by whatever
-- follows it, and one that succeeds leaves the server of earlier deployments.
create function resolve_deployments() returns trigger language plpgsql as $$
begin
  update deployments set is_unresolved = false
  where project_id = new.project_id and is_unresolved and id <> new.id
    and (server_id = new.server_id or process_type = 'move' or (new.process_type = 'move' and new.status = 1));
  new.is_unresolved = new.status = 2;
  return new;
end
$$;

create trigger resolve_deployments before insert or update of status on deployments
  for each row when (new.status in (1, 2)) execute function resolve_deployments();

alter table servers add column disconnected_at timestamptz;
update servers set disconnected_at = connection_checked_at where connection_status = 0;

create function note_disconnection() returns trigger language plpgsql as $$
begin
  new.disconnected_at = case when new.connection_status = 0 then clock_timestamp() end;
  return new;
end
$$;

create trigger note_disconnection before update of connection_status on servers
  for each row when (old.connection_status <> new.connection_status) execute function note_disconnection();

-- How the last setup ended, if steps of it failed or never reported, or it gave up.
alter table servers add column setup_trouble text check (setup_trouble in ('failed', 'incomplete'));

create function trouble_of_setup(server bigint) returns text language sql stable as $$
  select case
    when ended_at is null then null
    when state <> 'succeeded' then 'failed'
    when exists (select 1 from run_steps where run_id = r.id and status in ('failed', 'unreported')) then 'incomplete'
  end
  from runs r where r.kind = 'provision' and r.subject_id = server order by r.id desc limit 1
$$;

update servers set setup_trouble = trouble_of_setup(id);

create function note_setup_trouble() returns trigger language plpgsql as $$
begin
  update servers set setup_trouble = trouble_of_setup(id)
  where id = new.subject_id and setup_trouble is distinct from trouble_of_setup(id);
  return null;
end
$$;

-- At the commit: by then the steps are stored too.
create constraint trigger note_setup after insert or update of ended_at on runs deferrable initially deferred
  for each row when (new.kind = 'provision') execute function note_setup_trouble();

create index servers_in_trouble on servers (organization_id, id) where connection_status = 0 or setup_trouble is not null;
create index certificates_in_trouble on certificates (project_id)
  where status in (2, 3) or failures > 0 or left_out <> '[]';
create index monitors_down on monitors (organization_id, last_status_changed_at desc) where current_status = 'down';
create index if not exists watches_of_crash_loops on process_watches (project_id) where looping_since is not null;
create index server_orders_in_trouble on server_orders (organization_id) where state in ('failed', 'left');
create index projects_not_installed on projects (organization_id, id) where installation_status <> 1;
create index if not exists sites_in_maintenance on sites (project_id) where maintenance_mode;
create index app_updates_failed on app_installations (project_id) where update_state = 'failed';
create index registrations_failed on source_registrations (project_id) where error is not null;
create index databases_failed on databases (server_id) where status = 2;
create index jobs_failed on project_jobs (project_id) where status = 'failed';

-- An item that a member does not want to see for some time. It shows again earlier if it begins after snoozed_at.
create table attention_snoozes (
  user_id bigint not null,
  organization_id bigint not null,
  key text not null check (length(key) <= 100),
  snoozed_at timestamptz not null default clock_timestamp(),
  until timestamptz not null,
  primary key (user_id, organization_id, key),
  foreign key (user_id, organization_id) references memberships (user_id, organization_id) on delete cascade
);

-- Events of attention: the rows tell when something began or ended to need it, whichever code changed them. The argument is the
-- noun of the record that the event names.
create function announce_attention() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(new);
  of_project bigint := changed ->> (case tg_table_name when 'projects' then 'id' else 'project_id' end);
  of_server bigint := changed ->> (case tg_table_name when 'servers' then 'id' else 'server_id' end);
  of_organization bigint := changed ->> 'organization_id';
  noun text := tg_argv[0];
begin
  if changed ->> 'subject' = 'project' then
    noun = 'project';
    of_project = changed ->> 'subject_id';
  end if;
  select coalesce(of_server, p.server_id), coalesce(of_organization, p.organization_id, s.organization_id)
    into of_server, of_organization
  from (values (1)) one left join projects p on p.id = of_project left join servers s on s.id = of_server;
  insert into events (organization_id, server_id, project_id, name, data)
  select of_organization, of_server, of_project, 'attention.updated',
    jsonb_build_object('noun', noun, 'id',
      case noun when 'project' then of_project when 'server' then of_server else (changed ->> 'id')::bigint end)
  where of_organization is not null;
  -- They are rare: NOTIFY makes commits wait for each other.
  perform pg_notify('longshore_unplaced', '');
  return null;
end
$$;

create trigger announce_attention after update on deployments for each row
  when (old.is_unresolved <> new.is_unresolved) execute function announce_attention('deployment');
create trigger announce_attention after update of connection_status, server_status, setup_trouble on servers for each row
  when (old.connection_status <> new.connection_status or old.server_status <> new.server_status
    or old.setup_trouble is distinct from new.setup_trouble)
  execute function announce_attention('server');
create trigger announce_attention after update of current_status on monitors for each row
  when ((old.current_status = 'down') <> (new.current_status = 'down')) execute function announce_attention('monitor');
create trigger announce_attention after update on certificates for each row
  when (old.status <> new.status or (old.failures > 0) <> (new.failures > 0) or old.left_out <> new.left_out)
  execute function announce_attention('certificate');
create trigger announce_attention after update of looping_since on process_watches for each row
  when ((old.looping_since is null) <> (new.looping_since is null)) execute function announce_attention('project');
create trigger announce_attention after update on targets for each row
  when ((old.applied_version < old.wanted_version and old.error is not null)
    <> (new.applied_version < new.wanted_version and new.error is not null))
  execute function announce_attention('server');
create trigger announce_attention after update of error on source_registrations for each row
  when ((old.error is null) <> (new.error is null)) execute function announce_attention('project');
create trigger announce_attention after update of state on server_orders for each row
  when (old.state <> new.state and (old.state in ('failed', 'left') or new.state in ('failed', 'left')))
  execute function announce_attention('order');
create trigger announce_attention after update of sweep_error on server_providers for each row
  when ((old.sweep_error is null) <> (new.sweep_error is null)) execute function announce_attention('provider');
create trigger announce_attention after update of last_delivery_status on notification_channels for each row
  when ((old.last_delivery_status is not distinct from 'failed') <> (new.last_delivery_status is not distinct from 'failed'))
  execute function announce_attention('channel');
create trigger announce_attention after update of installation_status on projects for each row
  when ((old.installation_status = 2) <> (new.installation_status = 2)) execute function announce_attention('project');
create trigger announce_attention after update of update_state on app_installations for each row
  when ((old.update_state is not distinct from 'failed') <> (new.update_state is not distinct from 'failed'))
  execute function announce_attention('project');
create trigger announce_attention after update of status on databases for each row
  when ((old.status = 2) <> (new.status = 2)) execute function announce_attention('database');
create trigger announce_attention after update of status on project_jobs for each row
  when ((old.status = 'failed') <> (new.status = 'failed')) execute function announce_attention('job');

-- Events of records that no request changes alone, or that many statements change: the rows tell ----------------------------

-- Arguments: the noun; the column with the record's id; that with its state, if any. With `own`, the event is for the user of the
-- row alone, in all organizations of the account.
create function announce_change() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  of_user bigint := changed ->> 'user_id';
  of_project bigint := changed ->> 'project_id';
  of_server bigint := changed ->> 'server_id';
  of_organization bigint := changed ->> (case tg_table_name when 'organizations' then 'id' else 'organization_id' end);
  data jsonb := jsonb_strip_nulls(jsonb_build_object('id', (changed ->> tg_argv[1])::bigint,
    'state', changed ->> tg_argv[2], 'deleted', case when tg_op = 'DELETE'
      and tg_table_name not in ('server_pins', 'project_pins', 'status_incidents') then true end));
begin
  if tg_argv[3] = 'own' and of_user is not null then
    insert into events (organization_id, server_id, name, data)
    select m.organization_id, of_server, tg_argv[0] || '.updated', data || jsonb_build_object('user_id', of_user)
    from memberships m where m.user_id = of_user;
  else
    select coalesce(of_server, p.server_id), coalesce(of_organization, p.organization_id, page.organization_id)
      into of_server, of_organization
    from (values (1)) one left join projects p on p.id = of_project
      left join status_pages page on page.id = (changed ->> 'page_id')::bigint;
    insert into events (organization_id, server_id, project_id, name, data)
    select of_organization, of_server, of_project, tg_argv[0] || '.updated', data where of_organization is not null;
  end if;
  perform pg_notify('longshore_unplaced', '');
  return null;
end
$$;

create trigger announce_change after insert or delete or update on project_groups
  for each row execute function announce_change('group', 'id');
create trigger announce_change after insert or delete or update of name, plan on organizations
  for each row execute function announce_change('organization', 'id');
create trigger announce_change after insert or delete or update on memberships
  for each row execute function announce_change('member', 'user_id');
create trigger announce_change after insert or delete or update of accepted_at, expires_at, role, restricted, digest on invitations
  for each row execute function announce_change('invitation', 'id');
create trigger announce_change after insert or delete or update of name, permissions, expires_at, organization_id, is_bound
  on tokens for each row execute function announce_change('token', 'id', '', 'own');
create trigger announce_change after insert or update on user_preferences
  for each row execute function announce_change('preferences', 'user_id', '', 'own');
create trigger announce_change after insert or delete on server_pins
  for each row execute function announce_change('server', 'server_id', '', 'own');
-- The few names that do not lead to their server.
create index dns_checks_elsewhere on dns_checks (server_id, name) where not ok;

create trigger announce_change after insert or delete on project_pins
  for each row execute function announce_change('project', 'project_id', '', 'own');
create trigger announce_change after insert or delete on ssh_keys
  for each row execute function announce_change('ssh_key', 'id', '', 'own');
create trigger announce_change after insert or delete on notification_channels
  for each row execute function announce_change('channel', 'id', 'last_delivery_status');
-- Not for each of thousands of deliveries.
create trigger announce_update after update on notification_channels for each row
  when ((old.name, old.target, old.topics, old.project_ids, old.is_active, old.secret, old.last_delivery_status, old.last_delivery_error)
    is distinct from
    (new.name, new.target, new.topics, new.project_ids, new.is_active, new.secret, new.last_delivery_status, new.last_delivery_error))
  execute function announce_change('channel', 'id', 'last_delivery_status');
create trigger announce_change after insert or delete or update on maintenance_windows
  for each row execute function announce_change('maintenance_window', 'id');
create trigger announce_change after insert or delete or update on status_pages
  for each row execute function announce_change('status_page', 'id');
create trigger announce_change after insert or delete or update on status_incidents
  for each row execute function announce_change('status_page', 'page_id');
create trigger announce_change after insert or delete or update of name, credentials, sweep_error on server_providers
  for each row execute function announce_change('provider', 'id');
create trigger announce_change after insert or delete or update of name, credentials, deleted_at on source_providers
  for each row execute function announce_change('provider', 'id');
create trigger announce_change after insert or delete or update of state, error, server_ref, public_ip on server_orders
  for each row execute function announce_change('order', 'id', 'state');
create trigger announce_change after insert or delete or update of state, error, image_id on server_snapshots
  for each row execute function announce_change('snapshot', 'id', 'state');
create trigger announce_change after insert or
  update of automatic_updates, update_available, update_state, update_error, address, answers on app_installations
  for each row execute function announce_change('app', 'project_id', 'update_state');

create trigger announce_change after insert or update of provider_id, hook_digest, hook_secret, needs_confirmation
  on project_sources for each row execute function announce_change('project', 'project_id');
create trigger announce_change after insert or delete or update of state, error on source_registrations
  for each row execute function announce_change('project', 'project_id');

-- The account's name is shown with each of its memberships.
create function announce_account() returns trigger language plpgsql as $$
begin
  insert into events (organization_id, name, data)
  select m.organization_id, 'member.updated', jsonb_build_object('id', new.id) from memberships m where m.user_id = new.id;
  perform pg_notify('longshore_unplaced', '');
  return null;
end
$$;

create trigger announce_account after update of name, email on users
  for each row when (old.name <> new.name or old.email <> new.email) execute function announce_account();

/* The state of a record in a word, as it is for the transaction; null: its noun has no states. */
create function state_of(noun text, record_id bigint) returns text language sql stable as $$
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
      select case
        when exists (select 1 from servers where id = p.server_id and connection_status = 0) then 'unreachable'
        when exists (select 1 from deployments where project_id = p.id and status in (3, 4))
          or (p.source_type = 'app' and p.installation_status = 0) then 'deploying'
        when exists (select 1 from deployments where project_id = p.id and status = 0) then 'waiting'
        when exists (select 1 from process_watches where project_id = p.id and looping_since is not null) then 'crashing'
        when exists (select 1 from sites where project_id = p.id and maintenance_mode) then 'in_maintenance'
        when p.installation_status = 2 or exists (
          select 1 from deployments where project_id = p.id and is_unresolved and process_type <> 'move') then 'failed'
        when p.installation_status = 0 then 'not_installed'
        else 'live' end
      from projects p where p.id = record_id)
  end
$$;

create function add_state() returns trigger language plpgsql as $$
declare
  noun text := split_part(new.name, '.', 1);
  state text := coalesce(
    state_of(noun, (new.data ->> case noun when 'certificate' then 'project_id' else 'id' end)::bigint),
    case jsonb_typeof(new.data -> 'status') when 'string' then new.data ->> 'status' end);
begin
  if state is not null then
    new.data = new.data || jsonb_build_object('state', state);
  end if;
  return new;
end
$$;

create trigger add_state before insert on events
  for each row when (new.name like '%.updated' and not new.data ? 'state') execute function add_state();

-- Names by their parts: what contains a text is found without reading all names. Not pg_trgm, which not every hosted
-- PostgreSQL lets an application install.

/* Every part of the name of 1 to 3 characters. */
create function parts_of_name(name text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(lower(name), start, size)), '{}')
  from generate_series(1, length(lower(name))) start, generate_series(1, 3) size
  where start + size - 1 <= length(lower(name))
$$;

/* The parts that a name has at least if it contains the text: the longest ones. */
create function parts_of_search(search text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct substr(lower(search), start, least(3, length(lower(search))))), '{}')
  from generate_series(1, greatest(1, length(lower(search)) - 2)) start
$$;

create index projects_by_parts on projects using gin (parts_of_name(name));
create index domains_by_parts on domains using gin (parts_of_name(domain_name));
create index databases_by_parts on databases using gin (parts_of_name(database_name));
create index monitors_by_parts on monitors using gin (parts_of_name(name));
create index projects_by_beginning on projects (organization_id, lower(name) text_pattern_ops);
create index domains_by_beginning on domains (lower(domain_name) text_pattern_ops);
create index databases_by_beginning on databases (lower(database_name) text_pattern_ops);
create index monitors_by_beginning on monitors (organization_id, lower(name) text_pattern_ops);
