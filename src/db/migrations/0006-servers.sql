-- Servers ------------------------------------------------------------------------------------------------------------

create table servers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  server_type smallint not null default 0 check (server_type between 0 and 4),
  server_os text not null,
  environment text check (environment in ('production', 'staging', 'dev')),
  timezone text not null default 'UTC',
  notes text,
  queue_limit integer check (queue_limit > 0),
  monitoring_enabled boolean not null default true,

  -- Connection
  -- one server for an address: an IPv4 address in the form of an IPv6 address would be another one to the database
  public_ip inet unique check (not public_ip <<= '::ffff:0:0/96'),
  private_ip inet check (not private_ip <<= '::ffff:0:0/96'),
  ssh_port integer not null default 22 check (ssh_port between 1 and 65535),
  nat_port integer default 22 check (nat_port between 1 and 65535),
  connection_status smallint not null default 0 check (connection_status in (0, 1)),
  connection_error text,
  connection_checked_at timestamptz,
  -- since when the first connection is attempted; a retry resets it
  connecting_since timestamptz not null default clock_timestamp(),
  -- when that is attempted next; null: not any more, or by the order of the machine
  connect_at timestamptz,
  -- the key pair that opens this server alone
  ssh_public_key text not null,
  ssh_private_key bytea not null,
  -- pinned at the first connection: `ssh-ed25519 AAAA…`
  host_key text,
  -- the address that last showed this key: what is typed in as public_ip proves nothing
  seen_ip inet,

  -- Setup
  server_status smallint not null default 0 check (server_status in (0, 1, 10)),
  operating_system text,
  -- as /etc/os-release names it, such as debian 12
  distribution text,
  -- of the last setup that reached its end
  setup_version text,
  database_engine text not null default 'none' check (database_engine in ('mariadb', 'postgresql', 'none')),
  -- of Redis or Meilisearch; generated when the first setup begins, and kept by every later one
  service_password bytea,
  -- which addresses the firewall of a server with data admits, as it was last set; null before the first setup
  allowed_peers text[],

  -- Cloud provider
  provider_type text not null default 'custom' check (provider_type in ('cloud_a', 'cloud_b', 'cloud_c', 'custom')),
  provider_id bigint references server_providers,
  delete_protection boolean not null default false,
  monthly_price_net numeric(12, 4),
  monthly_price_gross numeric(12, 4),
  price_currency text,

  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Foreign keys refer to both: what is on a server belongs to its organization, also when the server is transferred while
  -- something is added to it.
  unique (id, organization_id),
  check (provider_id is null or provider_type <> 'custom')
);
create index servers_to_connect on servers (connect_at) where connect_at is not null;
comment on column servers.ssh_private_key is 'encrypted';
comment on column servers.service_password is 'encrypted';
create index servers_of_organization on servers (organization_id, id);
create index servers_of_provider on servers (provider_id) where provider_id is not null;
create index load_balancers_of_organization on servers (organization_id) where server_type = 4;

-- Members' own marks. A pin ends with the membership, and moves with the server if the member is in the other organization, too.
create table server_pins (
  user_id bigint not null,
  server_id bigint not null,
  organization_id bigint not null,
  primary key (user_id, server_id),
  foreign key (user_id, organization_id) references memberships (user_id, organization_id) on delete cascade,
  foreign key (server_id, organization_id) references servers (id, organization_id)
    on update cascade on delete cascade
);

-- Servers whose record was deleted while our key is still on the machine: what is needed to leave it.
create table departed_servers (
  id bigint generated always as identity primary key,
  name text not null,
  host inet not null,
  port integer not null,
  host_key text not null,
  ssh_public_key text not null,
  ssh_private_key bytea not null,
  -- runs that were under way and are ended first
  run_ids bigint[] not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on column departed_servers.ssh_private_key is 'encrypted';

-- Orders at cloud providers ------------------------------------------------------------------------------------------

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
  resources jsonb not null default '[]',
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
    on update cascade,
  check ((state in ('failed', 'cancelled', 'removed', 'left', 'released')) = (ended_at is not null)),
  check (state not in ('active', 'released') or user_data is null)
);
comment on column server_orders.user_data is 'encrypted';
create index server_orders_of_organization on server_orders (organization_id, id desc);
create index server_orders_of_server on server_orders (server_id, id desc);
create index server_orders_of_provider on server_orders (provider_id);

-- The order stays when its server is deleted. "on delete set null (server_id)" would need PostgreSQL 15.
create function keep_orders_of_server() returns trigger language plpgsql as $$
begin
  update server_orders set server_id = null where server_id = old.id;
  return old;
end
$$;
create trigger servers_keep_orders before delete on servers
  for each row execute function keep_orders_of_server();

-- Images of servers, from which others are ordered.
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

-- SSH keys of people -------------------------------------------------------------------------------------------------

create table ssh_keys (
  id bigint generated always as identity primary key,
  -- whose it is: a person's or an organization's
  user_id bigint references users on delete cascade,
  organization_id bigint references organizations on delete cascade,
  name text not null,
  -- algorithm and key as authorized_keys has them, without options and comment
  public_key text not null check (public_key ~ '^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$'),
  fingerprint text not null,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, organization_id) = 1)
);
create unique index ssh_keys_of_user on ssh_keys (user_id, fingerprint) where user_id is not null;
create unique index ssh_keys_of_organization on ssh_keys (organization_id, fingerprint) where organization_id is not null;

-- On which servers they are.
create table ssh_access (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  -- null once the key was deleted
  ssh_key_id bigint references ssh_keys on delete set null,
  account text not null check (account = 'root'),
  -- of the key, for as long as it is on the server
  name text not null,
  fingerprint text not null,
  granted_by bigint references users on delete set null,
  -- the row is deleted when the server has removed the key
  removed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create unique index ssh_access_in_force on ssh_access (server_id, account, ssh_key_id) where removed_at is null;
create index ssh_access_of_key on ssh_access (ssh_key_id);
