-- Projects on several servers behind a load balancer. On each further server such a project has a replica: a project's row of
-- its own, with what is true there (installation, ports, what is live), that takes over from the project what people decide.
alter table projects
  -- the server in front; null: visitors come to the project's own
  add column load_balancer_id bigint references servers on delete set null,
  add column replica_of bigint references projects on delete cascade,
  -- a replica that is taken away: it is removed as soon as the balancer sends nobody there
  add column is_leaving boolean not null default false,
  -- what the balancer has of the project: the fingerprint of the step that told it
  add column front_published text,
  add check (replica_of is null or load_balancer_id is null),
  add check (replica_of is not null or not is_leaving),
  add unique (replica_of, server_id);
create index balanced_projects on projects (load_balancer_id) where load_balancer_id is not null;

-- The deployment of the project that a deployment of a replica carries on, to one server after the other.
alter table deployments add column rolling_of bigint references deployments on delete set null;
create index rolling_deployments on deployments (rolling_of) where rolling_of is not null;
