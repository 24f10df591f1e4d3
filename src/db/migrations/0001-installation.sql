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
-- have missed a lower one. Positions are taken at the commit, one transaction after the other: a reader that sees one sees all
-- before it. NOTIFY holds a lock of its own from there to the end of the commit anyway, so this costs no concurrency.
create sequence event_positions;

create table events (
  id bigint generated always as identity primary key,
  -- null until the commit
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
create index events_by_age on events (created_at);

-- Called for each event at the commit, while no other transaction can commit events. The first call places all events that
-- the transaction recorded; the others see that none is left. They are the youngest, so the search begins at the end of the
-- table. Without enable_seqscan = off, a plan that was made while the table was small reads all of it: 300 events after 10,000
-- others took up to 1.6 s, and take 0.3 s.
create function place_event() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  last_placed bigint := coalesce(nullif(current_setting('longshore.last_placed', true), ''), '0');
begin
  if new.id <= last_placed then return null; end if;
  perform pg_advisory_xact_lock(7235002);
  with placed as (
    update events set position = own.position
    from (
      select id, nextval('event_positions') as position
      from (select id from events where id >= new.id and coalesce(position, 0) = 0 order by id) unplaced
    ) own
    where events.id = own.id returning events.id
  )
  select max(id) into last_placed from placed;
  perform set_config('longshore.last_placed', last_placed::text, true);
  return null;
end
$$;

create constraint trigger place_event after insert on events deferrable initially deferred
  for each row execute function place_event();
