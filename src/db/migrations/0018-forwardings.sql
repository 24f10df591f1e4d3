-- A server that a project was moved from forwards its visitors: the DNS may lead them there for a while. A row stays until the server
-- is cleared, also when its project or its server is deleted before.
create table forwardings (
  id bigint generated always as identity primary key,
  -- the row may be gone
  project_id bigint not null,
  -- identifies the project on the server
  project_created_at timestamptz not null,
  -- null once the server was deleted
  server_id bigint references servers on delete set null,
  -- false: visitors get a notice instead
  passes_on boolean not null,
  -- the certificate that stays on the server, with its names; null: none
  certificate jsonb,
  until timestamptz not null,
  unique (project_id, server_id)
);
create index forwardings_by_end on forwardings (until);
create index forwardings_of_server on forwardings (server_id);
