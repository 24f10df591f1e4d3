-- Databases on servers: those that came with a server, those made on request, and those that were found and adopted ----

create table databases (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  project_id bigint references projects on delete set null,
  database_type text not null check (database_type in ('mariadb', 'postgresql')),
  database_name text not null,
  username text not null,
  password bytea not null,
  -- 0 being created, 1 exists, 2 could not be created
  status smallint not null default 0 check (status in (0, 1, 2)),
  -- false for the database that came with the server
  created_by_user boolean not null default true,
  -- found on the server and adopted: Longshore did not create it
  is_adopted boolean not null default false,
  -- it is to be emptied when it is applied next
  is_emptying boolean not null default false,
  -- it is to be removed; the row is deleted when the server has done so
  removed_at timestamptz,
  -- The name of a database is taken on both servers during a move: by the database on one, by a row that only holds the
  -- name on the other. This is the move it is held for; such a row is no database.
  held_for bigint,
  notes text,
  -- as last seen on the server
  size_bytes bigint check (size_bytes >= 0),
  connections integer check (connections >= 0),
  character_set text check (length(character_set) <= 100),
  collation_name text check (length(collation_name) <= 100),
  seen_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (server_id, database_name)
);
comment on column databases.password is 'encrypted';
create index databases_of_project on databases (project_id) where project_id is not null;

-- Further accounts of a database, which can read it and nothing else.
create table database_users (
  id bigint generated always as identity primary key,
  database_id bigint not null references databases on delete cascade,
  username text not null check (username ~ '^[a-z][a-z0-9_]{0,62}$'),
  password bytea not null,
  -- 0 being created, 1 exists, 2 could not be created
  status smallint not null default 0 check (status in (0, 1, 2)),
  error text,
  removed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 2) = (error is not null)),
  unique (database_id, username)
);
comment on column database_users.password is 'encrypted';

-- What was last seen of the engine of a server, and the databases that Longshore did not make there.
create table database_engines (
  server_id bigint primary key references servers on delete cascade,
  version text check (length(version) <= 100),
  found jsonb not null default '[]',
  looked_at timestamptz,
  error text,
  look_due_at timestamptz not null
);

-- Dumps that were uploaded to be loaded into a database.
create table database_imports (
  id bigint generated always as identity primary key,
  database_id bigint not null references databases on delete cascade,
  -- who uploaded it
  user_id bigint references users on delete set null,
  empties_first boolean not null,
  size_bytes bigint not null default 0 check (size_bytes >= 0),
  -- 0 being uploaded, 1 loaded, 2 failed, 3 being loaded
  status smallint not null default 0 check (status in (0, 1, 2, 3)),
  error text,
  run_id bigint references runs on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((status in (1, 2)) = (ended_at is not null)),
  check ((status = 2) = (error is not null))
);
create index database_imports_of_database on database_imports (database_id, id desc);
create unique index one_import_at_a_time on database_imports (database_id) where status in (0, 3);
