-- Many deployments queued, and begun, at once ------------------------------------------------------------------------------

-- A trigger keeps its plan, and one that was made while there were few deployments read all of them for each new one: with
-- every deployment that waited the next took longer.
alter function take_turn() set enable_seqscan = off;

-- The reference to the project and its organization together says as much as one to each, and a new row looks it up once.
alter table deployments
  drop constraint deployments_project_id_fkey,
  drop constraint deployments_organization_id_fkey;

-- A plan is written once, read some times and never looked into here: it is kept as it was written. To compress it took as
-- long as everything else about a new run.
alter table runs
  alter plan set storage external,
  alter plan type json using plan::json;
