-- Console sign-in: the tables of better-auth, which reads and writes them (features/sign-in) ---------------------------

create table auth_accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- `credential` is a password; its account_id is the user's id
  provider_id text not null,
  account_id text not null,
  -- scrypt, as lib/password.ts writes it
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (provider_id, account_id)
);
create index auth_accounts_of_user on auth_accounts (user_id);

create table auth_sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index auth_sessions_of_user on auth_sessions (user_id);
create index auth_sessions_by_expiry on auth_sessions (expires_at);

-- Short-lived: challenges of passkeys and of a second factor.
create table auth_verifications (
  id bigint generated always as identity primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index auth_verifications_by_identifier on auth_verifications (identifier);

create table auth_two_factors (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- encrypted with the secret below
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index auth_two_factors_of_user on auth_two_factors (user_id);

create table auth_passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default clock_timestamp()
);
create index auth_passkeys_of_user on auth_passkeys (user_id);

-- What better-auth signs cookies and encrypts second factors with: generated at the first use.
create table auth_secret (
  id boolean primary key default true check (id),
  secret bytea not null
);
comment on column auth_secret.secret is 'encrypted';

-- Attempts to sign in, or to prove a password again (features/sign-in/attempts) --------------------------------------

create table sign_in_attempts (
  -- SHA-256 of what they are counted by: an email, a known browser, a client's address, a session
  bucket bytea primary key,
  attempts integer not null check (attempts >= 0),
  ends_at timestamptz not null
);
create index sign_in_attempts_by_end on sign_in_attempts (ends_at);

-- What takes access away is announced to every process with the commit, so that event streams end at once -------------

create function announce_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('longshore_access', old.user_id::text);
  return null;
end
$$;

create trigger announce_access after delete or update of permissions, organization_id, is_bound, expires_at on tokens
  for each row execute function announce_access();
create trigger announce_access after delete or update of expires_at on auth_sessions
  for each row execute function announce_access();
create trigger announce_access after delete or update on memberships
  for each row execute function announce_access();

-- Codes of second factors with which someone has signed in, as digests: each works once while it is valid.
create table auth_used_codes (
  user_id bigint not null references users on delete cascade,
  digest bytea not null,
  used_at timestamptz not null,
  primary key (user_id, digest)
);
