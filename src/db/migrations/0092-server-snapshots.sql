-- Images of servers, from which others are ordered ------------------------------------------------------------------

create table server_snapshots (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  provider_id bigint not null references server_providers,
  -- null once the server was deleted
  server_id bigint references servers on delete set null,
  name text not null check (length(name) between 1 and 100),
  -- its name at the provider, by which it is found whatever was stored of it
  key text not null unique,
  location text not null,
  -- the server's id at the provider
  server_ref text not null,
  server_os text not null,
  image_id text,
  state text not null default 'creating' check (state in ('creating', 'ready', 'failed', 'deleting', 'left')),
  error text,
  created_at timestamptz not null default clock_timestamp(),
  ready_at timestamptz,
  check (state <> 'ready' or (image_id is not null and ready_at is not null)),
  check (state <> 'failed' or error is not null)
);
create index server_snapshots_of_organization on server_snapshots (organization_id, id desc);
create index server_snapshots_of_provider on server_snapshots (provider_id);
create index server_snapshots_of_server on server_snapshots (server_id);
