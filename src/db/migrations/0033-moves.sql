-- Projects on their way from one server to another. A row stays until nothing is left where the project is not: it outlives
-- its deployment, its project and its servers, whose deletion leaves work to do on the others.

create table moves (
  -- the deployment record that it carries out
  deployment_id bigint primary key,
  project_id bigint not null,
  source_id bigint references servers on delete set null,
  destination_id bigint references servers on delete set null,
  -- where there is, or may be, something of the project that does not serve: the destination, and after the switch the source
  other_id bigint references servers on delete set null,
  -- Node projects: the ports that are taken there meanwhile
  other_port_pair integer check (other_port_pair >= 20000 and other_port_pair % 2 = 0 and other_port_pair < 65535),
  phase text not null default 'queued'
    check (phase in ('queued', 'opening', 'copying', 'building', 'holding', 'finishing', 'leaving')),
  -- engine, name and username of each database that goes along
  databases jsonb not null,
  -- opens what goes along, and nothing else, of the source; gone as soon as it is of no use
  public_key text,
  private_key bytea,
  -- of the phase
  run_id bigint,
  -- since when the server that everybody waits for has not answered
  silent_since timestamptz,
  -- how it ended, while what it held and left behind is put right
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled')),
  error text,
  release_run_id bigint,
  clearing_run_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  check ((phase = 'leaving') = (outcome is not null)),
  unique (other_id, other_port_pair)
);
comment on column moves.private_key is 'encrypted';
create index moves_of_project on moves (project_id);

-- The name of a database is taken on both servers during a move: by the database on one, by a row that only holds the
-- name on the other. This is the move it is held for; such a row is no database.
alter table server_databases add column held_for bigint;
