-- What a project did stays with it when a server is deleted that it has left, or never came to: its deployments there are
-- said to be of the server where it is. What is queued begins there; a move that has lost its destination is given up there.
-- In the turns of that queue they count as nothing.
create function keep_deployments() returns trigger language plpgsql as $$
begin
  update deployments d set server_id = s.id, turn = 0
    from projects p join servers s on s.id = p.server_id
    where d.server_id = old.id and p.id = d.project_id and p.server_id <> old.id;
  return old;
end
$$;

create trigger keep_deployments before delete on servers for each row execute function keep_deployments();
