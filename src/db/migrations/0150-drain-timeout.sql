-- How long the old process of a Node project may take to finish what it was asked, before it gets a SIGTERM.
alter table projects
  add column drain_timeout_seconds integer not null default 30 check (drain_timeout_seconds between 1 and 900);
