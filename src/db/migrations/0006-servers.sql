-- Connections to cloud providers ------------------------------------------------------------------------------------

create table server_providers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  provider_type text not null check (provider_type in ('cloud_a', 'cloud_b', 'cloud_c')),
  credentials bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index server_providers_of_organization on server_providers (organization_id, id);
comment on column server_providers.credentials is 'encrypted';

-- Servers -------------------------------------------------------------------------------------------------------------

-- Since when the first connection is tried; a retry begins anew.
alter table servers add column connecting_since timestamptz not null default clock_timestamp();

-- What is on a server is its organization's, also when the server is transferred while something is added to it.
alter table servers add unique (id, organization_id);
alter table projects add unique (id, organization_id);
alter table projects add foreign key (server_id, organization_id)
  references servers (id, organization_id) on update cascade on delete cascade;
alter table deployments add foreign key (project_id, organization_id)
  references projects (id, organization_id) on update cascade on delete cascade;

-- Servers whose record was deleted while our key is still on the machine: what is needed to leave it.
create table departed_servers (
  id bigint generated always as identity primary key,
  name text not null,
  host inet not null,
  port integer not null,
  host_key text not null,
  ssh_public_key text not null,
  ssh_private_key bytea not null,
  -- runs that were under way and are ended first
  run_ids bigint[] not null,
  created_at timestamptz not null default clock_timestamp()
);
comment on column departed_servers.ssh_private_key is 'encrypted';

-- Events --------------------------------------------------------------------------------------------------------------

-- Ids are taken when an event is recorded, and transactions commit in another order: whoever has read up to an id may
-- have missed a lower one. Positions are taken at the commit, one transaction after the other: whoever sees one sees all
-- before it. NOTIFY holds a lock of its own from there to the end of the commit anyway, so this costs no concurrency.
create sequence event_positions;
alter table events add column position bigint unique;
update events set position = e.position
  from (select id, nextval('event_positions') as position from (select id from events order by id) sorted) e
  where events.id = e.id;
create index events_in_order on events (organization_id, position);

create function place_event() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7235002);
  update events set position = nextval('event_positions') where id = new.id;
  return null;
end
$$;

create constraint trigger place_event after insert on events deferrable initially deferred
  for each row execute function place_event();
