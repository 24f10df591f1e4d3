-- What the server had last of the steps that prepare a project (step key: fingerprint of its script). A deployment does
-- again what differs, so that settings written by the preparation (memory, the site) reach the server with it.
alter table projects add column prepared jsonb not null default '{}';
