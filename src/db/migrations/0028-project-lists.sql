-- Lists of many projects: what they are searched, filtered and sorted by.

-- The text that a search of projects looks into, in lower case: name, repository and domains, each on a line of its own. A narrow
-- table: reading it for 100,000 projects takes a fifth of the time that reading `projects` does.
create table project_search (
  project_id bigint primary key,
  organization_id bigint not null,
  text text not null,
  foreign key (project_id, organization_id) references projects (id, organization_id)
    on update cascade on delete cascade
);
create index project_search_of_organization on project_search (organization_id, project_id);

create function index_project(of_project bigint) returns void language sql as $$
  insert into project_search as s (project_id, organization_id, text)
  select p.id, p.organization_id, lower(concat_ws(E'\n', p.name, p.repository,
    (select string_agg(d.domain_name, E'\n' order by d.id) from domains d where d.project_id = p.id)) collate "und-x-icu")
  from projects p where p.id = of_project
  on conflict (project_id) do update set text = excluded.text where s.text <> excluded.text
$$;

create function index_changed_project() returns trigger language plpgsql as $$
begin
  perform index_project(new.id);
  return null;
end
$$;

create function index_project_of_domain() returns trigger language plpgsql as $$
begin
  perform index_project(coalesce(new.project_id, old.project_id));
  return null;
end
$$;

-- At the commit, as for domain_names. Who changes one of them has locked the project.
create constraint trigger index_project after insert or update of name, repository on projects
  deferrable initially deferred for each row execute function index_changed_project();
create constraint trigger index_project after insert or delete or update of domain_name on domains
  deferrable initially deferred for each row execute function index_project_of_domain();

insert into project_search (project_id, organization_id, text)
select p.id, p.organization_id, lower(concat_ws(E'\n', p.name, p.repository, named.domains) collate "und-x-icu")
from projects p left join (
  select project_id, string_agg(domain_name, E'\n' order by id) as domains from domains group by project_id
) named on named.project_id = p.id;

-- Members' own marks. A pin ends with the membership, and moves with the project if the member is in the other organization, too.
create table project_pins (
  user_id bigint not null,
  project_id bigint not null,
  organization_id bigint not null,
  primary key (user_id, project_id),
  foreign key (user_id, organization_id) references memberships (user_id, organization_id) on delete cascade,
  foreign key (project_id, organization_id) references projects (id, organization_id)
    on update cascade on delete cascade
);
create index project_pins_of_project on project_pins (project_id);

alter table projects
  -- when what a release is made of was last changed: by a setting, or by an environment variable; null: not since 0.3
  add column settings_changed_at timestamptz,
  add column environment_changed_at timestamptz;

-- Counts and filters of long lists read this index alone.
create index projects_listed on projects (organization_id, id)
  include (server_id, project_group_id, environment, framework_id, source_type);
drop index projects_of_organization;
create index projects_listed_by_name on projects (organization_id, name collate "und-x-icu", id);
create index projects_listed_by_creation on projects (organization_id, created_at, id);
-- Those that were never deployed come last in both orders.
create index projects_by_last_deployment_first on projects (organization_id, last_deployed_at desc nulls last, id desc);
-- The few that are not simply live.
create index sites_in_maintenance on sites (project_id) where maintenance_mode;
create index watches_of_crash_loops on process_watches (project_id) where looping_since is not null;

-- Where names pointed to when they were last looked up for a server, also before a project has them.
create table dns_checks (
  server_id bigint not null,
  organization_id bigint not null,
  name text not null,
  -- the address of the server then
  expected_ip text,
  ok boolean not null,
  addresses text[] not null,
  -- the aliases that led to them
  chain text[] not null,
  message text not null,
  checked_at timestamptz not null default clock_timestamp(),
  primary key (server_id, name),
  foreign key (server_id, organization_id) references servers (id, organization_id)
    on update cascade on delete cascade
);
