-- Rate limits: how much of a user's budget of the current minute is handed out to API processes (http/rate-limit) ----------

create table rate_limits (
  user_id bigint not null references users on delete cascade,
  -- 'api' or 'mcp': each has a budget of its own
  bucket text not null,
  -- the minute begins with the first request after the one before it
  window_started_at timestamptz not null,
  granted bigint not null check (granted >= 0),
  -- what the last statement handed out: how it tells its caller
  last_grant bigint not null check (last_grant >= 0),
  primary key (user_id, bucket)
);

-- Idempotency keys: the first answer to a POST, for a day (http/idempotency) ---------------------------------------------

create table idempotency_keys (
  user_id bigint not null references users on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of organization, method, path and body
  fingerprint bytea not null,
  -- whose attempt it is; an attempt that was taken over can no longer store its answer
  claim uuid not null,
  claimed_until timestamptz not null,
  -- status, headers and body; encrypted, since an answer may hold a secret that is shown once. Null while it is made.
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
