-- Public pages about chosen monitors. They are served without a token at /status/{slug}, and at a domain of their own ------

create table status_pages (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 2000),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  domain text unique check (length(domain) <= 253),
  -- one that is not public answers 404 to everyone
  is_public boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index status_pages_of_organization on status_pages (organization_id, id);

create table status_page_monitors (
  page_id bigint not null references status_pages on delete cascade,
  monitor_id bigint not null references monitors on delete cascade,
  position integer not null,
  -- what visitors read instead of the monitor's name
  label text check (length(label) between 1 and 100),
  primary key (page_id, monitor_id)
);
create index status_page_monitors_of_monitor on status_page_monitors (monitor_id);

-- What people write about an incident. The state of an incident is that of its newest update.
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
