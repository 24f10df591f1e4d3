-- Rate limits: how much of a user's budget of the current minute is handed out to API processes (http/rate-limit) ------

create table rate_limits (
  user_id bigint not null references users on delete cascade,
  -- 'api' or 'mcp': each has a budget of its own
  bucket text not null,
  -- the minute begins with the first request after the one before it
  window_started_at timestamptz not null,
  granted bigint not null check (granted >= 0),
  -- what the last statement handed out: how the statement returns it
  last_grant bigint not null check (last_grant >= 0),
  primary key (user_id, bucket)
);

-- Idempotency keys: the first answer to a POST, for a day (http/idempotency) -------------------------------------------

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
  -- The records that the committed change concerns, stored in its transaction; null: nothing was committed. An attempt whose
  -- process ended between the commit and the answer is answered with them, and not carried out again.
  records text[],
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
comment on column idempotency_keys.answer is 'encrypted';
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Audit log: who changed what, written in the transaction of the change (http/audit) -----------------------------------

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
create index audit_log_by_time on audit_log (created_at);
