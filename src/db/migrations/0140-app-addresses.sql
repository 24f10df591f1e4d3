-- Applications that keep their own address follow the names and the certificate of their site.
alter table app_installations
  -- the one that the newest run gave the application; null: not known
  add column address text,
  -- the state of the site (its fingerprint) of which that is the address
  add column address_site text,
  add column address_look_at timestamptz not null default clock_timestamp();
