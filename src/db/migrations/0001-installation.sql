-- What belongs to the installation as a whole ------------------------------------------------------------------------

-- A known text under the installation's secret key: a process that was given another key than the one this database was
-- filled with fails at its start, rather than at the first secret.
create table key_check (
  id boolean primary key default true check (id),
  ciphertext bytea not null
);
-- A rotation of the key (db/rotate-key.ts) rewrites every column that has this comment.
comment on column key_check.ciphertext is 'encrypted';

-- Work of several processes (engine) ---------------------------------------------------------------------------------

-- Which process carries out a periodic task, and until when.
create table periodic_tasks (
  name text primary key,
  due_at timestamptz not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz,
  check ((lease_token is null) = (lease_until is null))
);

-- Work that is divided over the processes, and the processes that take part.
create table shards (
  name text not null,
  shard integer not null,
  owner uuid,
  lease_until timestamptz,
  primary key (name, shard),
  check ((owner is null) = (lease_until is null))
);
create table shard_members (
  name text not null,
  owner uuid not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (name, owner)
);

-- Events: what the console and GET /api/v1/events receive; kept for a while so that a client can resume ---------------

-- Ids are taken when an event is recorded, and transactions commit in another order: a reader that has read up to an id may
-- have missed a lower one. Positions are assigned after the commit, by one transaction at a time (engine/events.ts): a reader that
-- sees one sees all before it, and writers share no lock.
create sequence event_positions;

create table events (
  id bigint generated always as identity primary key,
  -- null until soon after the commit
  position bigint,
  -- no foreign keys: an event may be the last one of what it is about
  organization_id bigint not null,
  server_id bigint,
  project_id bigint,
  name text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
-- Events are read by their positions, those that have one yet.
create unique index events_by_position on events (position) where position is not null;
create index events_in_order on events (organization_id, position) where position is not null;
create index events_without_position on events (id) where position is null;
create index events_by_age on events (created_at);

-- Identity after a restore -------------------------------------------------------------------------------------------

-- A server knows the ids that were in use when its last runs began. After a restore of an older database they are ahead of it:
-- then every id continues after them. No process takes an id of a sequence while it is moved, so none goes back. Returns what was moved.
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
