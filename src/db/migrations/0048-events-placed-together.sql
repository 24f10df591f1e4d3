-- Events of a transaction take their positions together -------------------------------------------------------------------

-- The trigger is called for each event at the commit, while nobody else can commit events. The first call places all that the
-- transaction recorded; the others see that there is nothing left. They are the youngest, so they are looked for from the
-- end, whatever was known of the table when that was planned.
create or replace function place_event() returns trigger language plpgsql set enable_seqscan = off as $$
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

-- Events are read by their positions, those that have one yet.
drop index events_of_organization, events_in_order;
alter table events drop constraint events_position_key;
create unique index events_by_position on events (position) where position is not null;
create index events_in_order on events (organization_id, position) where position is not null;
