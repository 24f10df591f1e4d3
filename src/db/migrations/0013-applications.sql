-- Applications of the catalog (features/apps) ------------------------------------------------------------------------

-- What an application project has besides its row in `projects`.
create table app_installations (
  project_id bigint primary key references projects on delete cascade,
  -- what people chose and what was generated for them: JSON
  answers bytea not null,
  -- the database of the application; the same one for every attempt
  database_id bigint references databases on delete set null,
  -- number of the newest directory below releases/; each attempt takes the next one
  last_release integer not null default 0 check (last_release >= 0),

  -- Updates
  automatic_updates text not null default 'off' check (automatic_updates in ('off', 'minor')),
  -- the newest version that the application can be updated to, as of the last look
  update_available text,
  update_is_security boolean not null default false,
  -- the version that the owners were notified of
  announced_version text,
  next_look_at timestamptz not null default clock_timestamp() + interval '1 day',
  -- the newest update, and the release that it makes
  update_state text check (update_state in ('running', 'succeeded', 'failed')),
  update_version text,
  update_release integer check (update_release > 0),
  update_error text,
  update_ended_at timestamptz,

  -- Applications that store their own address follow the names and the certificate of their site.
  -- the one that the newest run gave the application; null: not known
  address text,
  -- the state of the site (its fingerprint) of which that is the address
  address_site text,
  address_look_at timestamptz not null default clock_timestamp(),

  created_at timestamptz not null default clock_timestamp(),
  check ((update_state is null) = (update_version is null)),
  check ((update_state in ('succeeded', 'failed')) = (update_ended_at is not null)),
  check ((update_state = 'failed') = (update_error is not null))
);
comment on column app_installations.answers is 'encrypted';
create index app_installations_due on app_installations (next_look_at);
