-- Databases on servers: one table for those that came with a server, those made on request, and those that were found and adopted.

alter table server_databases rename to databases;

alter table databases
  -- found on the server and adopted: Longshore did not create it
  add column is_adopted boolean not null default false,
  -- it is to be emptied when it is applied next
  add column is_emptying boolean not null default false,
  -- it is to be removed; the row goes when the server has done so
  add column removed_at timestamptz,
  -- as last seen on the server
  add column size_bytes bigint check (size_bytes >= 0),
  add column connections integer check (connections >= 0),
  add column character_set text check (length(character_set) <= 100),
  add column collation_name text check (length(collation_name) <= 100),
  add column seen_at timestamptz,
  add column updated_at timestamptz not null default clock_timestamp();
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
