-- Organizations and their people -------------------------------------------------------------------------------------

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  plan text not null default 'starter' check (plan in ('starter', 'pro', 'business')),
  created_at timestamptz not null default clock_timestamp()
);

-- better-auth reads and writes this table, too; its own tables are in 0003.
create table users (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default true,
  name text not null check (length(name) between 1 and 100),
  image text,
  two_factor_enabled boolean not null default false,
  current_organization_id bigint references organizations on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table user_preferences (
  user_id bigint primary key references users on delete cascade,
  -- `{console: {…}, mobile: {…}}`
  preferences jsonb not null default '{}'
);

create table memberships (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  organization_id bigint not null references organizations on delete cascade,
  role text not null check (role in ('Owner', 'Admin', 'Member', 'Viewer')),
  -- restricted: the reach is the listed servers with their projects, plus the listed projects
  restricted boolean not null default false,
  server_ids bigint[] not null default '{}',
  project_ids bigint[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, organization_id)
);
create index memberships_of_organization on memberships (organization_id);

-- Invitations --------------------------------------------------------------------------------------------------------

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
  created_at timestamptz not null default clock_timestamp()
);
create unique index one_open_invitation on invitations (organization_id, email) where accepted_at is null;

-- Invitations that are still to be mailed. The token is here until then, and nowhere afterwards.
create table invitation_mails (
  invitation_id bigint primary key references invitations on delete cascade,
  token bytea not null,
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null default clock_timestamp()
);
comment on column invitation_mails.token is 'encrypted';

-- Invitations of the last day, also those that were replaced or revoked: each may have been a mail.
create table sent_invitations (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  invited_by bigint not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index sent_invitations_by_age on sent_invitations (created_at);

-- API tokens ---------------------------------------------------------------------------------------------------------

create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- null: the organization the user is currently in
  organization_id bigint references organizations on delete cascade,
  -- refused outside of its organization
  is_bound boolean not null default false,
  name text not null check (length(name) between 1 and 100),
  prefix text not null,
  digest bytea not null unique,
  permissions text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (not is_bound or organization_id is not null)
);
create index tokens_of_user on tokens (user_id);
