-- Which program sent a request, as it named itself: `{"kind": "cli", "name": "longshore", "version": "0.3.0"}`; null for older entries.
alter table audit_log add column client jsonb;

-- The code that makes the first account of an installation: one at a time, and none once there is an account.
create table setup_code (
  id boolean primary key default true check (id),
  -- SHA-256 of the code, which is printed once
  digest bytea not null,
  attempts integer not null default 0 check (attempts >= 0),
  expires_at timestamptz not null
);

-- Links that were mailed to people: for each purpose, the newest of an account is valid, once.
create table mailed_links (
  -- SHA-256 of the secret in the link
  digest bytea primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'change_email')),
  -- the address that the account has when the link is used: it is void after a change
  email text not null,
  new_email text check (new_email = lower(new_email)),
  expires_at timestamptz not null,
  unique (user_id, purpose),
  check ((purpose = 'change_email') = (new_email is not null))
);
create index mailed_links_by_expiry on mailed_links (expires_at);

-- Programs on people's devices that wait for a person to give them a token (RFC 8628).
create table device_authorizations (
  id bigint generated always as identity primary key,
  -- SHA-256 of the code that the program keeps
  device_digest bytea not null unique,
  -- what the person compares and enters; without the dash
  user_code text not null unique,
  client_name text not null check (length(client_name) between 1 and 100),
  client jsonb not null,
  ip inet,
  -- what the program asks for; null: it leaves the choice to the person
  wanted_permissions text[],
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
  interval_seconds integer not null,
  polled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- the token that the person chose; it is made when the program collects it
  user_id bigint references users on delete cascade,
  organization_id bigint references organizations on delete cascade,
  token_name text,
  token_permissions text[],
  token_expires_at timestamptz,
  check ((state = 'approved') = (organization_id is not null)),
  check (state <> 'approved' or (user_id is not null and token_name is not null and token_permissions is not null))
);
create index device_authorizations_by_expiry on device_authorizations (expires_at);
create index device_authorizations_of_user on device_authorizations (user_id);
create index device_authorizations_of_organization on device_authorizations (organization_id);

-- Owners list and revoke the tokens for their organization.
create index tokens_of_organization on tokens (organization_id);
