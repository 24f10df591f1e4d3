-- How a release is seen to be served --------------------------------------------------------------------------------

alter table projects
  -- relative to the working directory; null: found among the framework's
  add column output_directory text check (length(output_directory) between 1 and 400),
  add column health_path text not null default '/' check (health_path ~ '^/' and length(health_path) <= 500),
  -- null: anything below 500
  add column health_status integer[] check (cardinality(health_status) between 1 and 20),
  add column start_timeout_seconds integer not null default 60 check (start_timeout_seconds between 5 and 600);

-- What a deployment that succeeded leaves to look at.
alter table deployments add column warnings text[] not null default '{}';
