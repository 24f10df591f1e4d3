-- Whether a deployment may lose files that the application has written into the live release, outside of shared paths.
alter table projects add column discard_written_files boolean not null default false;
