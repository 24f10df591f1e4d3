-- The monitor whose fall began an automatic rollback, as it was then: it may be gone by now.
alter table deployments
  add column monitor_id bigint,
  add column monitor_name text,
  add constraint only_monitors_have_a_monitor check (monitor_id is null or initiator_type = 'monitor');

-- Until now only the description named it.
update deployments d set monitor_id = named.found[1]::bigint, monitor_name = named.found[2]
from (
  select id, regexp_match(description, ': monitor ([0-9]{1,15}) \((.*)\) is down$') as found
  from deployments where initiator_type = 'monitor' and takes_back is not null
) named
where named.id = d.id and named.found is not null;
update deployments d set monitor_id = root.monitor_id, monitor_name = root.monitor_name from deployments root
where root.id = d.rolling_of and d.initiator_type = 'monitor' and root.monitor_id is not null;
