-- This installation at the providers ---------------------------------------------------------------------------------

-- What is ordered carries this name: two installations may use one account. It is stored in the database, so that a
-- restored backup finds its own resources again.
create table cloud_owner (
  only_row boolean primary key default true check (only_row),
  owner text not null default 'longshore-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 10)
);
insert into cloud_owner default values;

-- Connections to cloud providers -------------------------------------------------------------------------------------

create table server_providers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  provider_type text not null check (provider_type in ('cloud_a', 'cloud_b', 'cloud_c')),
  credentials bytea not null,
  -- the account at the provider that the credentials belong to
  account text,
  -- when the sweeper last compared what carries our name with the orders
  swept_at timestamptz,
  -- why it could not
  sweep_error text,
  created_at timestamptz not null default clock_timestamp()
);
comment on column server_providers.credentials is 'encrypted';
create index server_providers_of_organization on server_providers (organization_id, id);

-- What providers sell, as it was last read.
create table cloud_catalogues (
  provider_id bigint not null references server_providers on delete cascade,
  part text not null check (part in ('locations', 'catalogue', 'prices')),
  -- empty for the list of locations
  location text not null,
  body jsonb,
  read_at timestamptz,
  -- Until then one process reads it, and the others wait for what it stores.
  refreshing_until timestamptz,
  primary key (provider_id, part, location),
  check ((body is null) = (read_at is null))
);

-- How much a connection may still ask of its provider, over all processes.
create table cloud_call_limits (
  provider_id bigint not null references server_providers on delete cascade,
  bucket text not null,
  -- Negative: calls that were admitted wait for their time.
  calls double precision not null,
  refilled_at timestamptz not null default clock_timestamp(),
  -- The provider asked to wait until then.
  blocked_until timestamptz,
  primary key (provider_id, bucket)
);

-- What carries our name at a provider and belongs to no order.
create table cloud_orphans (
  provider_id bigint not null references server_providers on delete cascade,
  kind text not null,
  id text not null,
  location text not null,
  name text,
  monthly_price_net numeric(12, 4),
  monthly_price_gross numeric(12, 4),
  price_currency text,
  created_at timestamptz,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (provider_id, kind, location, id)
);
