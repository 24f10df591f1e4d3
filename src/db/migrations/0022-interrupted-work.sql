-- Idempotency keys ---------------------------------------------------------------------------------------------------

-- The records that the committed change concerns, stored in its transaction; null: nothing was committed. An attempt whose process
-- ended between the commit and the answer is answered with them, and not carried out again.
alter table idempotency_keys add column records text[];

-- Identity after a restore -------------------------------------------------------------------------------------------

-- A server knows the ids that were in use when its last runs began. After a restore of an older database they are ahead of it:
-- then every id goes on after them. Nobody takes an id of a sequence while it is moved, so none goes back. Returns what was moved.
create function continue_ids(last_ids jsonb) returns text[] language plpgsql as $$
declare
  behind record;
  moved text[] := '{}';
begin
  for behind in
    select s.sequencename as name, given.value::bigint as last_id
    from pg_sequences s join jsonb_each_text(last_ids) given on given.key = s.sequencename
    where s.schemaname = current_schema() and coalesce(s.last_value, 0) < given.value::bigint
    order by s.sequencename
  loop
    -- Changes nothing, and locks it until the commit.
    execute format('alter sequence %I no cycle', behind.name);
    if (
      select coalesce(s.last_value, 0) from pg_sequences s
      where s.schemaname = current_schema() and s.sequencename = behind.name
    ) < behind.last_id then
      perform setval(format('%I', behind.name)::regclass, behind.last_id);
      moved := moved || behind.name;
    end if;
  end loop;
  return moved;
end $$;

-- Whether the project may take over files of its number that have no mark: those from before there were marks.
alter table placements add column may_adopt boolean not null default true;

-- The project is identified by when it was made; null: not known, as before there were marks.
alter table removals add column project_created_at timestamptz;
alter table removals add column may_adopt boolean not null default true;

-- Growth -------------------------------------------------------------------------------------------------------------

-- Whether the steps of the plan were dropped, as at the end of a run. Those of runs that ended before are dropped in the background.
alter table runs add column is_outlined boolean not null default false;
create index runs_with_plans on runs (id) where ended_at is not null and not is_outlined;
