-- Attempts to sign in, or to prove a password again (features/sign-in/attempts) -----------------------------------------------

create table sign_in_attempts (
  -- SHA-256 of what they are counted by: an email, a known browser, a client's address, a session
  bucket bytea primary key,
  attempts integer not null check (attempts >= 0),
  ends_at timestamptz not null
);
create index sign_in_attempts_by_end on sign_in_attempts (ends_at);

comment on table auth_rate_limits is 'Written by earlier versions only. A later one drops it.';
