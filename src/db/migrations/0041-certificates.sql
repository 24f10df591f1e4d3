-- A project's certificate: what is served, and what is known of the attempts to get the next one.
create table certificates (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  -- issued by the authority, or brought by the user
  source text not null default 'acme' check (source in ('acme', 'custom')),
  -- 0 pending, 1 active, 2 failed, 3 expired; of what serves: a renewal that fails leaves it at 1
  status smallint not null default 0 check (status between 0 and 3),
  -- the order that made what is served, which also names its directory; null while nothing is
  version bigint,
  -- where it lies: a project that was moved needs a new one
  server_id bigint references servers on delete cascade,
  names text[] not null default '{}',
  not_before timestamptz,
  not_after timestamptz,
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

-- One attempt to get a certificate, with everything that whoever goes on with it needs to know.
create table certificate_orders (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  server_id bigint not null references servers on delete cascade,
  purpose text not null check (purpose in ('issue', 'renewal', 'custom')),
  -- request: key and request are made on the server; check: do the names lead there; order: the authority is asked;
  -- challenge: its files are put on the server; validate: the authority looks, and issues; install: the server takes it
  phase text not null default 'request'
    check (phase in ('request', 'check', 'order', 'challenge', 'validate', 'install', 'verify', 'ended')),
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled')),
  names text[] not null,
  -- whose content the server shows to prove that a name leads there
  probe text not null,
  directory text,
  -- base64 of the certificate request
  request text,
  order_url text,
  -- [{name, authorization, url, token}]
  challenges jsonb not null default '[]',
  -- the certificate with its chain
  chain text,
  -- of an uploaded certificate, until the server has it
  uploaded_key bytea,
  -- the run that is under way for it
  run_id bigint references runs on delete set null,
  -- of the requests to the authority in this phase
  tries integer not null default 0,
  -- what was done and seen, for the reader
  log text[] not null default '{}',
  error text,
  -- whoever works on it says so again and again; when this is over, another worker takes it up
  leased_until timestamptz,
  lease uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((phase = 'ended') = (outcome is not null) and (phase = 'ended') = (ended_at is not null))
);
create unique index one_certificate_order on certificate_orders (project_id) where outcome is null;
create index certificate_orders_of_project on certificate_orders (project_id, id desc);
create index certificate_orders_of_run on certificate_orders (run_id);
comment on column certificate_orders.uploaded_key is 'encrypted';

-- The installation's account with each authority.
create table acme_accounts (
  directory text primary key,
  private_key bytea not null,
  -- null until the authority has answered
  url text,
  created_at timestamptz not null default clock_timestamp()
);
comment on column acme_accounts.private_key is 'encrypted';

-- What was asked of an authority, counted over all organizations against its limits.
create table acme_requests (
  id bigint generated always as identity primary key,
  directory text not null,
  -- account, domain:REGISTERED-DOMAIN, names:THE-SET or failed:NAME
  scope text not null,
  at timestamptz not null default clock_timestamp()
);
create index acme_requests_of_scope on acme_requests (directory, scope, at);

-- Where the authority said that it is not to be asked until then.
create table acme_pauses (
  directory text not null,
  scope text not null,
  until timestamptz not null,
  reason text not null,
  primary key (directory, scope)
);
