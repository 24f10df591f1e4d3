-- What Redis or Meilisearch of a server asks for; made when its setup begins, and kept by every later one.
alter table servers add column service_password bytea;
comment on column servers.service_password is 'encrypted';

-- Whom the firewall of a server with data lets through, as it was last told; null before its first setup.
alter table servers add column allowed_peers text[];
