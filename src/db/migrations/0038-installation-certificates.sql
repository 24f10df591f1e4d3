-- The certificate of this installation's own names, for all processes that serve them over HTTPS.
create table installation_certificates (
  id bigint generated always as identity primary key,
  -- in their order in the alphabet: processes with the same names share it
  names text[] not null unique check (cardinality(names) > 0),
  -- made here until the authority has issued one
  source text not null check (source in ('self', 'acme')),
  private_key bytea not null,
  -- the certificate with its chain, PEM
  chain text not null,
  -- grows with each certificate that replaces another
  version bigint not null default 1,
  not_before timestamptz not null,
  not_after timestamptz not null check (not_after > not_before),
  -- when to order the next one
  renew_at timestamptz not null,
  -- how the names were proven last
  challenge text check (challenge in ('http-01', 'tls-alpn-01')),
  -- of the attempts since the last success
  failures integer not null default 0,
  error text,
  -- no attempt before this time
  retry_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (failures = 0 or error is not null)
);
comment on column installation_certificates.private_key is 'encrypted';

-- The attempt under way to get the next one. What the authority has is stored at once: there is no other way to find it.
create table installation_orders (
  id bigint generated always as identity primary key,
  certificate_id bigint not null unique references installation_certificates on delete cascade,
  directory text not null,
  challenge text not null check (challenge in ('http-01', 'tls-alpn-01')),
  private_key bytea not null,
  -- null until the authority has accepted it
  url text,
  created_at timestamptz not null default clock_timestamp()
);
comment on column installation_orders.private_key is 'encrypted';

-- What each process that serves the names answers the authority.
create table installation_challenges (
  token text primary key,
  order_id bigint not null references installation_orders on delete cascade,
  name text not null,
  key_authorization text not null
);
create index installation_challenges_of_order on installation_challenges (order_id);
