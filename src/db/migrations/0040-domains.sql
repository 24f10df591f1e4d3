-- Every name that a project answers to: its domains, and with www_redirect the other form (www or bare) of those that serve.
-- A name has one owner in the whole installation, whichever way it was claimed.
create table domain_names (
  name text primary key,
  project_id bigint not null references projects on delete cascade
);
create index domain_names_of_project on domain_names (project_id);

create function www_counterpart(name text) returns text language sql immutable as $$
  select case when name like 'www.%.%' then substr(name, 5) else 'www.' || name end
$$;

create function claim_domain_names(of_project bigint) returns void language plpgsql as $$
declare
  wanted text[];
  taken text;
begin
  select coalesce(array_agg(names.name), '{}') into wanted from (
    select d.domain_name as name from domains d where d.project_id = of_project
    union
    select www_counterpart(d.domain_name) from domains d join projects p on p.id = d.project_id
    where d.project_id = of_project and d.redirect_to is null and p.www_redirect <> 0
  ) names;
  delete from domain_names where project_id = of_project and name <> all(wanted);
  -- in one order, so that two that claim the same names wait for each other instead of both being lost
  insert into domain_names (name, project_id)
    select name, of_project from unnest(wanted) name order by name
    on conflict (name) do nothing;
  select n.name into taken from domain_names n where n.name = any(wanted) and n.project_id <> of_project limit 1;
  if taken is not null then
    raise unique_violation using
      message = 'a domain name belongs to another project', detail = taken, constraint = 'domain_names_pkey';
  end if;
end
$$;

create function claim_names_of_domain() returns trigger language plpgsql as $$
begin
  perform claim_domain_names(coalesce(new.project_id, old.project_id));
  return null;
end
$$;

create function claim_names_of_project() returns trigger language plpgsql as $$
begin
  perform claim_domain_names(new.id);
  return null;
end
$$;

-- What existed before comes first; of the forms that www_redirect adds, those that are free.
insert into domain_names (name, project_id) select domain_name, project_id from domains;
insert into domain_names (name, project_id)
  select www_counterpart(d.domain_name), d.project_id from domains d join projects p on p.id = d.project_id
  where d.redirect_to is null and p.www_redirect <> 0
  order by d.id on conflict (name) do nothing;

-- At the commit: what a transaction changes one after the other counts as a whole.
create constraint trigger claim_names after insert or delete or update of domain_name, redirect_to on domains
  deferrable initially deferred for each row execute function claim_names_of_domain();
create constraint trigger claim_names after update of www_redirect on projects
  deferrable initially deferred for each row when (old.www_redirect <> new.www_redirect)
  execute function claim_names_of_project();

-- A change of a project's domains that its web server has not decided on yet, with what was before: when the server refuses
-- it, that is put back.
create table domain_changes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- www_redirect and the rows of domains
  before jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'refused')),
  -- the last publication that contains it; null until one does
  run_id bigint references runs on delete set null,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  check ((state = 'refused') = (reason is not null))
);
create index domain_changes_of_project on domain_changes (project_id, id);

alter table projects
  -- the largest request body that the site takes
  add column max_upload_mb integer not null default 100 check (max_upload_mb between 1 and 10240),
  add column hsts_is_enabled boolean not null default false,
  -- proxies before the site, whose X-Forwarded-For tells who visits
  add column trusted_proxies text[] not null default '{}',
  add column basic_auth_user text,
  -- the hash of the password, as nginx reads it
  add column basic_auth_hash bytea,
  -- counts the passwords, so that the web server is told of a new one
  add column basic_auth_version integer not null default 0,
  -- the last edit by hand that was found on the server: {found_at, file, kept_as}
  add column web_server_drift jsonb,
  add check ((basic_auth_user is null) = (basic_auth_hash is null));
comment on column projects.basic_auth_hash is 'encrypted';

create index load_balancers_of_organization on servers (organization_id) where server_type = 4;
