-- Public pages about chosen monitors. They are served without a token at /status/{slug}, and at a domain of their own.
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
