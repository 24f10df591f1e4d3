-- An account that the operator has blocked: it has no session, and its tokens are refused.
alter table users add column blocked_at timestamptz;

-- Streams that were opened with a token end too.
create function announce_access_of_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('longshore_access', old.id::text);
  return null;
end
$$;
create trigger announce_access after update of blocked_at on users
  for each row execute function announce_access_of_account();
