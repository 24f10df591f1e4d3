-- The deployment that Longshore takes back by this rollback, because a monitor fell shortly after it. Unique: once only.
alter table deployments
  add column takes_back bigint unique references deployments on delete set null,
  add constraint only_rollbacks_take_back check (takes_back is null or process_type = 'rollback');
