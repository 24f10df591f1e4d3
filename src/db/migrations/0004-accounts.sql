-- Audit log: who changed what, written in the transaction of the change (http/audit) -------------------------------------

create table audit_log (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  user_id bigint references users on delete set null,
  -- as it was then: the account may be gone or renamed since
  user_email text not null,
  -- null: a session of the console; no foreign key, since tokens are deleted when they are revoked
  token_id bigint,
  ip inet,
  -- method and path pattern of the endpoint, and its summary
  action text not null,
  summary text not null,
  -- what it was done to: `project:5`
  subjects text[] not null default '{}',
  -- which fields were sent; never their values
  fields text[] not null default '{}',
  request_id text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index audit_log_of_organization on audit_log (organization_id, id desc);
create index audit_log_of_subject on audit_log using gin (subjects);

-- Invitations --------------------------------------------------------------------------------------------------------------

create table invitations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('Owner', 'Admin', 'Member', 'Viewer')),
  restricted boolean not null default false,
  server_ids bigint[] not null default '{}',
  project_ids bigint[] not null default '{}',
  -- SHA-256 of the token, which is shown once
  digest bytea not null unique,
  invited_by bigint references users on delete set null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by bigint references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  check (accepted_by is null or accepted_at is not null)
);
create unique index one_open_invitation on invitations (organization_id, email) where accepted_at is null;

-- Preferences --------------------------------------------------------------------------------------------------------------

create table user_preferences (
  user_id bigint primary key references users on delete cascade,
  -- `{console: {…}, mobile: {…}}`
  preferences jsonb not null default '{}'
);

-- Console sign-in: the tables of better-auth, which keeps them (features/sign-in); `users` serves it as they stand ---------

alter table users
  add column email_verified boolean not null default true,
  add column image text,
  add column two_factor_enabled boolean not null default false,
  add column updated_at timestamptz not null default clock_timestamp();

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

insert into auth_accounts (user_id, provider_id, account_id, password)
select id, 'credential', id::text, password_digest from users where password_digest is not null;
alter table users drop column password_digest;

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

-- short-lived: challenges of passkeys and of a second factor
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

create table auth_rate_limits (
  id bigint generated always as identity primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- What better-auth signs cookies and encrypts second factors with: made at the first use.
create table auth_secret (
  id boolean primary key default true check (id),
  secret bytea not null
);
comment on column auth_secret.secret is 'encrypted';
