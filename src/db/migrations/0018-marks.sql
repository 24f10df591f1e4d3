-- Marks: what identifies the state of a target that its server has, as the steps of plans declare it (engine/reconcile/marks.ts).
-- Unknown after the upgrade, so that what is touched next is applied once more.
alter table targets
  -- null: unknown
  add column applied_mark text,
  add column applied_at timestamptz,
  add check ((applied_mark is null) = (applied_at is null));
comment on column targets.wanted_version is
  'raised by each change of the records; 0: never changed, the row has only the mark of a state that a run brought';
