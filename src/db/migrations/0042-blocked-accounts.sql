-- An account that the operator has blocked: it has no session, and its tokens are refused.
alter table users add column blocked_at timestamptz;
