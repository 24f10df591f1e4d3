-- Codes of second factors with which someone has signed in, as digests: each works once while it is valid.
create table auth_used_codes (
  user_id bigint not null references users on delete cascade,
  digest bytea not null,
  used_at timestamptz not null,
  primary key (user_id, digest)
);
