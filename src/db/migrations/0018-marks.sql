-- Marks: what identifies the state of a target that its server has, as the steps of plans declare it (docs/decisions/0011).
-- Unknown after the upgrade: what is touched next is applied again, and the next deployment prepares its project again.

alter table targets
  -- null: unknown
  add column applied_mark text,
  add column applied_at timestamptz,
  add check ((applied_mark is null) = (applied_at is null));
comment on column targets.wanted_version is
  'raised by each change of the records; 0: none yet, the row has only the mark of a state that a run brought';

-- What marks replace. 0.2.0 still reads and writes these columns, so a later version drops them. They are emptied, since 0.2.0
-- would believe what it recorded before this version changed the servers.
update placements set prepared = '{}' where prepared <> '{}';
update sites set balancer_site = null where balancer_site is not null;
update servers set allowed_peers = null where allowed_peers is not null;
comment on column placements.prepared is 'unused, to be dropped';
comment on column sites.balancer_site is 'unused, to be dropped';
comment on column servers.allowed_peers is 'unused, to be dropped';
