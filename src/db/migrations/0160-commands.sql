-- Single commands that people run in a project's live release. How one ends is in its run, and it is kept as long as that.

create table project_commands (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  run_id bigint not null unique references runs on delete cascade,
  initiated_by bigint references users on delete set null,
  command text not null check (length(command) between 1 and 10000),
  timeout_seconds integer not null check (timeout_seconds between 1 and 3600),
  created_at timestamptz not null default clock_timestamp()
);
create index commands_of_project on project_commands (project_id, id);
