-- Links that the operator prints to sign an account in: the newest of an account is valid, once.
create table sign_in_links (
  user_id bigint primary key references users on delete cascade,
  -- SHA-256 of the secret in the link
  digest bytea not null unique,
  expires_at timestamptz not null
);
