-- Servers that were ordered -----------------------------------------------------------------------------------------

alter table servers
  add column provider_id bigint references server_providers,
  add column delete_protection boolean not null default false,
  add column monthly_price_net numeric(12, 4),
  add column monthly_price_gross numeric(12, 4),
  add column price_currency text,
  add check (provider_id is null or provider_type <> 'custom');
create index servers_of_provider on servers (provider_id) where provider_id is not null;

-- Orders ------------------------------------------------------------------------------------------------------------

-- One for each machine. It outlives its server: it is the record of what became of what was ordered.
create table server_orders (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  -- null once the server was deleted
  server_id bigint,
  -- null once the connection was deleted
  provider_id bigint references server_providers on delete set null,
  provider_type text not null check (provider_type in ('cloud_a', 'cloud_b', 'cloud_c')),
  server_name text not null,
  -- its name at the provider, by which it is found whatever was stored of it
  key text not null unique,
  location text not null,
  -- what was asked for, as the driver takes it
  request jsonb not null,
  -- ids at the provider, stored as they come
  server_ref text,
  things jsonb not null default '[]',
  public_ip inet,
  state text not null default 'ordering'
    check (state in ('ordering', 'refunding', 'active', 'removing', 'failed', 'cancelled', 'removed', 'left', 'released')),
  -- why it failed, or what is left at the provider and why
  error text,
  remaining jsonb not null default '[]',
  monthly_price_net numeric(12, 4),
  monthly_price_gross numeric(12, 4),
  price_currency text,
  -- what the machine gets at its first boot; only until it is known by its own host key
  user_data bytea,
  -- the temporary host key's public half
  boot_host_key text,
  -- the machine's own, read over the connection that the temporary one proved
  host_key text,
  created_at timestamptz not null default clock_timestamp(),
  active_at timestamptz,
  ended_at timestamptz,
  foreign key (server_id, organization_id) references servers (id, organization_id)
    on update cascade on delete set null (server_id),
  check ((state in ('failed', 'cancelled', 'removed', 'left', 'released')) = (ended_at is not null)),
  check (state not in ('active', 'released') or user_data is null)
);
comment on column server_orders.user_data is 'encrypted';
create index server_orders_of_organization on server_orders (organization_id, id desc);
create index server_orders_of_server on server_orders (server_id, id desc);
create index server_orders_of_provider on server_orders (provider_id);

-- What carries our name at a provider and belongs to no order -----------------------------------------------------------

create table cloud_orphans (
  provider_id bigint not null references server_providers on delete cascade,
  kind text not null,
  id text not null,
  location text not null,
  name text,
  order_key text,
  monthly_price_net numeric(12, 4),
  monthly_price_gross numeric(12, 4),
  price_currency text,
  created_at timestamptz,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (provider_id, kind, location, id)
);
