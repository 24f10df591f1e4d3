-- The server that is the machine of Longshore itself: connected to over loopback, with a key in the data directory. One at most.
alter table servers add column is_this_machine boolean not null default false
  check (not is_this_machine or provider_type = 'custom');
create unique index servers_this_machine on servers (is_this_machine) where is_this_machine;

alter table departed_servers add column is_this_machine boolean not null default false;
