-- Domains ------------------------------------------------------------------------------------------------------------

create table domains (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- lowercase, IDNs as punycode; one owner in the whole installation
  domain_name text not null unique check (domain_name = lower(domain_name)),
  is_primary boolean not null default false,
  is_active boolean not null default true,
  redirect_to text,
  redirect_status_code smallint check (redirect_status_code in (301, 302, 307, 308)),
  created_at timestamptz not null default clock_timestamp()
);
create index domains_of_project on domains (project_id, id);
create unique index one_primary_domain on domains (project_id) where is_primary;

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
    select www_counterpart(d.domain_name) from domains d join sites site on site.project_id = d.project_id
    where d.project_id = of_project and d.redirect_to is null and site.www_redirect <> 0
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

create function claim_names_of_site() returns trigger language plpgsql as $$
begin
  perform claim_domain_names(new.project_id);
  return null;
end
$$;

-- At the commit: what a transaction changes one after the other counts as a whole.
create constraint trigger claim_names after insert or delete or update of domain_name, redirect_to on domains
  deferrable initially deferred for each row execute function claim_names_of_domain();
create constraint trigger claim_names after update of www_redirect on sites
  deferrable initially deferred for each row when (old.www_redirect <> new.www_redirect)
  execute function claim_names_of_site();

-- A change of a project's site that its web server has not decided on yet, with the state before: when the server refuses the
-- change, that state is restored.
create table site_changes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- the values that the change replaced: of the domains with www_redirect, or of the settings
  before jsonb not null,
  -- the hash of the former password of the site, if the change replaced it
  basic_auth_hash bytea,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'refused')),
  -- the first version of the site's target that contains it
  version bigint not null,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  check ((state = 'refused') = (reason is not null))
);
comment on column site_changes.basic_auth_hash is 'encrypted';
create index site_changes_of_project on site_changes (project_id, id);

-- Certificates -------------------------------------------------------------------------------------------------------

-- A project's certificate: what is served, and the attempts to get the next one.
create table certificates (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  -- issued by the authority, or uploaded by the user
  source text not null default 'acme' check (source in ('acme', 'custom')),
  -- 0 pending, 1 active, 2 failed, 3 expired; of what serves: a renewal that fails leaves it at 1
  status smallint not null default 0 check (status between 0 and 3),
  -- the order that made what is served, which also names its directory; null while nothing is
  version bigint,
  -- where it is stored: a project that was moved needs a new one
  server_id bigint references servers on delete cascade,
  names text[] not null default '{}',
  -- names of the project that it does not cover, since they do not lead to the server: [{name, reason}]
  left_out jsonb not null default '[]',
  not_before timestamptz,
  not_after timestamptz,
  -- whether the authority of what is served answers over OCSP: then its answers are stapled
  offers_ocsp boolean not null default false,
  -- when to ask for the next one; null for what is not renewed
  renew_at timestamptz,
  -- of the attempts since the last success
  failures integer not null default 0,
  failed_names text[],
  error text,
  retry_at timestamptz,
  announced_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((version is null) = (server_id is null) and (version is null) = (not_after is null)),
  check ((status in (1, 3)) = (version is not null))
);
create index certificates_due on certificates (least(renew_at, retry_at));
create index certificates_expiring on certificates (not_after) where status = 1;

-- One attempt to get a certificate: its workflow says where it is, and each phase finds here what those before it learnt.
create table certificate_orders (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  server_id bigint not null references servers on delete cascade,
  purpose text not null check (purpose in ('issue', 'renewal', 'custom')),
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled')),
  names text[] not null,
  -- as of certificates
  left_out jsonb not null default '[]',
  -- the server serves its content to prove that a name leads there
  probe text not null,
  directory text,
  -- base64 of the certificate request
  request text,
  order_url text,
  -- [{name, token, content}]
  challenges jsonb not null default '[]',
  -- whether the server may have its challenges still
  has_leftovers boolean not null default true,
  -- the certificate with its chain
  chain text,
  -- of an uploaded certificate, until the server has it
  uploaded_key bytea,
  -- the run that gives the certificate to the server
  install_run_id bigint references runs on delete set null,
  -- what was done and seen, for the reader
  log text[] not null default '{}',
  error text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((outcome is null) = (ended_at is null))
);
comment on column certificate_orders.uploaded_key is 'encrypted';
create unique index one_certificate_order on certificate_orders (project_id) where outcome is null;
create index certificate_orders_of_project on certificate_orders (project_id, id desc);
create index certificate_orders_of_run on certificate_orders (install_run_id);

-- Certificate authorities --------------------------------------------------------------------------------------------

-- The installation's account with each authority.
create table acme_accounts (
  directory text primary key,
  private_key bytea not null,
  -- null until the authority has answered
  url text,
  created_at timestamptz not null default clock_timestamp()
);
comment on column acme_accounts.private_key is 'encrypted';

-- Requests to an authority, counted over all organizations against its limits.
create table acme_requests (
  id bigint generated always as identity primary key,
  directory text not null,
  -- account, domain:REGISTERED-DOMAIN, names:THE-SET or failed:NAME
  scope text not null,
  order_id bigint references certificate_orders on delete set null,
  at timestamptz not null default clock_timestamp()
);
create index acme_requests_of_scope on acme_requests (directory, scope, at);
-- An order is counted once, however often the authority has to be asked for it.
create unique index acme_request_of_order on acme_requests (order_id, scope);

-- Until when an authority asked not to be called.
create table acme_pauses (
  directory text not null,
  scope text not null,
  until timestamptz not null,
  reason text not null,
  primary key (directory, scope)
);
