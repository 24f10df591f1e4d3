-- Records that people change together show when they changed last: a change can be made on the condition that no other one came
-- in between (`expected_updated_at`).
alter table organizations add column updated_at timestamptz not null default now();
alter table organizations alter column updated_at set default clock_timestamp();

alter table memberships add column updated_at timestamptz not null default now();
alter table memberships alter column updated_at set default clock_timestamp();
