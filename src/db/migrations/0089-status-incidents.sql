-- What people write about an incident on a status page. The state of an incident is that of its newest update.
create table status_incidents (
  id bigint generated always as identity primary key,
  page_id bigint not null references status_pages on delete cascade,
  title text not null check (length(title) between 1 and 200),
  state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  check ((state = 'resolved') = (resolved_at is not null))
);
create index status_incidents_of_page on status_incidents (page_id, id desc);

create table status_incident_updates (
  id bigint generated always as identity primary key,
  incident_id bigint not null references status_incidents on delete cascade,
  state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  text text not null check (length(text) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp()
);
create index status_incident_updates_of_incident on status_incident_updates (incident_id, id);
