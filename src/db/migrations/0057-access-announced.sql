-- What takes access away is announced to every process with the commit, so that event streams end at once ---------------------

create function announce_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('longshore_access', old.user_id::text);
  return null;
end
$$;

create trigger announce_access after delete or update of permissions, organization_id, is_bound, expires_at on tokens
  for each row execute function announce_access();
create trigger announce_access after delete or update of expires_at on auth_sessions
  for each row execute function announce_access();
create trigger announce_access after delete or update on memberships
  for each row execute function announce_access();
