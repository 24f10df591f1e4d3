-- Setups that can run again (features/servers) --------------------------------------------------------------------------

-- What the last setup found and left behind. Null on servers that were set up before this was recorded.
alter table servers
  add column distribution text,
  add column setup_version text;
comment on column servers.distribution is 'as /etc/os-release names it, such as debian 12';
comment on column servers.setup_version is 'of the last setup that reached its end';
