-- The order of a server's queue -----------------------------------------------------------------------------------------

-- Projects take turns: the n-th waiting deployment of one competes with the n-th of the others. The turn is decided when a
-- deployment is queued, so that what is next is read from an index instead of being sorted out of thousands that wait.
alter table deployments add column turn bigint not null default 0;
update deployments d set turn = q.place
  from (select id, row_number() over (partition by server_id, project_id order by id) as place
        from deployments where status = 0) q
  where q.id = d.id;

drop index deployments_queued;
create index deployments_queued on deployments (server_id, turn, id) where status = 0;
create index deployments_waiting on deployments (project_id, server_id, id) where status = 0;
-- The server's clock: the highest turn that has begun.
create index deployments_begun on deployments (server_id, turn) where started_at is not null;

-- After the project's own last turn, and not before the turn the server is at: who was idle for long is not owed anything.
create function take_turn() returns trigger language plpgsql as $$
begin
  new.turn = greatest(
    (select turn + 1 from deployments where project_id = new.project_id and server_id = new.server_id
      order by id desc limit 1),
    (select max(turn) from deployments where server_id = new.server_id and started_at is not null),
    0);
  return new;
end
$$;

create trigger take_turn before insert on deployments for each row execute function take_turn();

-- States ----------------------------------------------------------------------------------------------------------------

-- The arrows of the diagram in docs/deployments.md; a test compares them with it and with the code. What has ended stays as
-- it ended, and nothing succeeds that did not run.
create function guard_deployment_status() returns trigger language plpgsql as $$
begin
  if not (case old.status
    when 0 then new.status in (2, 3, 5)
    when 3 then new.status in (1, 2, 4)
    when 4 then new.status in (1, 2, 3, 5)
    else false
  end) then
    raise exception 'deployment % cannot go from status % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'deployments_status_transition', table = 'deployments';
  end if;
  return new;
end
$$;

create trigger guard_deployment_status before update of status on deployments
  for each row when (old.status is distinct from new.status) execute function guard_deployment_status();
