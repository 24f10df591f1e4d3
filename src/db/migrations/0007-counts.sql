-- How many servers and projects each organization has, for the lists of whoever sees all of them: counting 100,000 rows
-- for each page takes longer than everything else about it. The database counts along, so that nothing can be forgotten.
-- Each statement adds its change as a row of its own, since with one row for an organization all who add something at
-- once would wait for each other. Now and then the rows are summed up.

create table record_counts (
  -- no foreign key: it would lock the organization's row for each change; a trigger clears up
  organization_id bigint not null,
  kind text not null check (kind in ('servers', 'projects')),
  change bigint not null
);
create index record_counts_of_organization on record_counts (organization_id, kind) include (change);

-- What another transaction is summing up is left to it.
create function sum_up_counts(of_organization bigint, of_kind text) returns void language sql as $$
  with summed as (
    delete from record_counts where ctid = any(array(
      select ctid from record_counts where organization_id = of_organization and kind = of_kind for update skip locked))
    returning change)
  insert into record_counts select of_organization, of_kind, sum(change) from summed having count(*) > 0
$$;

-- The argument is 1 for rows that came and -1 for rows that went.
create function count_records() returns trigger language plpgsql as $$
declare
  of_organization bigint;
begin
  for of_organization in
    insert into record_counts
      select organization_id, tg_table_name, count(*) * tg_argv[0]::bigint from moved
        -- what goes with its organization needs no count any more
        where organization_id in (select id from organizations) group by organization_id
      returning organization_id
  loop
    if (select count(*) from (
      select 1 from record_counts where organization_id = of_organization and kind = tg_table_name limit 65) few) > 64
    then
      perform sum_up_counts(of_organization, tg_table_name);
    end if;
  end loop;
  return null;
end
$$;

create function recount_moved_record() returns trigger language plpgsql as $$
begin
  insert into record_counts values (old.organization_id, tg_table_name, -1), (new.organization_id, tg_table_name, 1);
  return null;
end
$$;

create function forget_counts() returns trigger language plpgsql as $$
begin
  delete from record_counts where organization_id = old.id;
  return null;
end
$$;

create trigger count_servers_in after insert on servers referencing new table as moved
  for each statement execute function count_records('1');
create trigger count_servers_out after delete on servers referencing old table as moved
  for each statement execute function count_records('-1');
create trigger recount_server after update of organization_id on servers
  for each row when (old.organization_id <> new.organization_id) execute function recount_moved_record();

create trigger count_projects_in after insert on projects referencing new table as moved
  for each statement execute function count_records('1');
create trigger count_projects_out after delete on projects referencing old table as moved
  for each statement execute function count_records('-1');
create trigger recount_project after update of organization_id on projects
  for each row when (old.organization_id <> new.organization_id) execute function recount_moved_record();

create trigger forget_counts after delete on organizations for each row execute function forget_counts();

-- The triggers stand and lock the tables: nothing comes or goes between this and the end of the migration.
insert into record_counts select organization_id, 'servers', count(*) from servers group by organization_id;
insert into record_counts select organization_id, 'projects', count(*) from projects group by organization_id;
