-- What projects keep on their server's disk -------------------------------------------------------------------------

alter table projects
  -- whether the caches of build tools are kept for the next build of a branch
  add column build_cache boolean not null default true,
  -- how much the kept releases may take together
  add column kept_releases_mb integer not null default 5000 check (kept_releases_mb between 100 and 1000000),
  -- as the last deployment measured it; null: none has
  add column releases_bytes bigint check (releases_bytes >= 0),
  add column caches_bytes bigint check (caches_bytes >= 0),
  add column disk_measured_at timestamptz,
  -- the releases that are on the server; null: not reported yet
  add column kept_releases bigint[];
