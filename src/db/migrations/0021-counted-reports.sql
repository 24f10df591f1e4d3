-- A report that arrives while none is expected, such as before the server's own report that it has set up the heartbeat, is evidence
-- on the job all the same. From `watched_since` on a report can be missing; it moves while none is expected.

alter table monitors
  -- since when reports count: creation or activation
  add column counted_since timestamptz not null default clock_timestamp();
update monitors set counted_since = watched_since where type = 'heartbeat';
