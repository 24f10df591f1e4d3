-- This installation at the providers --------------------------------------------------------------------------------

-- What is ordered carries this name: two installations may use one account. It is kept with the database, so that a
-- restored backup finds its own things again.
create table cloud_owner (
  only_row boolean primary key default true check (only_row),
  owner text not null default 'longshore-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 10)
);
insert into cloud_owner default values;

-- Connections to cloud providers ------------------------------------------------------------------------------------

alter table server_providers
  -- the account at the provider that the credentials belong to
  add column account text,
  -- when the sweeper last compared what carries our name with the orders
  add column swept_at timestamptz,
  -- why it could not
  add column sweep_error text;

-- What providers sell, as it was last read ---------------------------------------------------------------------------

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

-- How much a connection may still ask of its provider, over all processes --------------------------------------------

create table cloud_allowances (
  provider_id bigint not null references server_providers on delete cascade,
  bucket text not null,
  -- Negative: calls that were admitted wait for their time.
  calls double precision not null,
  refilled_at timestamptz not null default clock_timestamp(),
  -- The provider asked to wait until then.
  blocked_until timestamptz,
  primary key (provider_id, bucket)
);
