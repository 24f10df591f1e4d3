-- Public keys of people -----------------------------------------------------------------------------------------------

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

-- On which servers they are -------------------------------------------------------------------------------------------

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
  -- the row goes when the server has removed the key
  removed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create unique index ssh_access_in_force on ssh_access (server_id, account, ssh_key_id) where removed_at is null;
create index ssh_access_of_key on ssh_access (ssh_key_id);
