-- Since when an address answers elsewhere and not here: the monitor stays up, which one event says.
alter table monitors add column disturbed_since timestamptz;
alter table monitors add check (disturbed_since is null or type = 'http');

-- Monitors of a server that reboots are not observed: looked for every few seconds, among all runs.
create index runs_of_reboots on runs (server_id, ended_at) where kind = 'reboot';
